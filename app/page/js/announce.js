// Tells screen readers what changed.

/** @param {string} text */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer && announcer.textContent !== text) announcer.textContent = text;
}
