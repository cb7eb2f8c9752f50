// Show the address of this page in the example.
document.querySelector("#origin").textContent = location.origin;
