// Starts the page: asks who is signed in, builds the header, and shows the view of the address.

import { onSessionEnd } from "./api.js";
import { fill } from "./dom.js";
import { showFailure } from "./failure.js";
import { showHeader } from "./header.js";
import { startKeys } from "./keys.js";
import { startRouter } from "./router.js";
import { loadSession, session, signInAddress } from "./session.js";
import { applyTheme } from "./theme.js";

const OPEN = ["/auth/login", "/docs"];

async function start() {
  applyTheme();
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  try {
    await loadSession();
  } catch (error) {
    fill(main);
    showFailure(main, error, () => location.reload());
    return;
  }
  if (!session.signed_in && session.needs_sign_in && !OPEN.includes(location.pathname)) {
    location.replace(signInAddress());
    return;
  }
  onSessionEnd(() => location.assign(signInAddress()));
  showHeader();
  startKeys();
  await startRouter();
}

void start();
