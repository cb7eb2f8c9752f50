// Light or dark: as the system says, unless somebody chose.

const KEY = "trawl.theme";

/** @returns {"light" | "dark" | "system"} */
export function chosenTheme() {
  const chosen = localStorage.getItem(KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** @param {"light" | "dark" | "system"} theme */
export function chooseTheme(theme) {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

export function applyTheme() {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
