// The example names the address under which this page was reached.
document.querySelector("#origin").textContent = location.origin;
