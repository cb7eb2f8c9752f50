// Asks again and again, but only while somebody looks at the page.

/**
 * Call a function now, and again after as many milliseconds as it returns; never twice at a time, nor while the page is hidden.
 * @param {(signal: AbortSignal) => Promise<number>} ask
 * @returns {{soon: () => void, stop: () => void}} `soon` asks without waiting any longer
 */
export function poll(ask) {
  const stopped = new AbortController();
  let timer = 0;
  let isAsking = false;
  let isWanted = false;

  async function run() {
    clearTimeout(timer);
    isWanted = isAsking || document.hidden;
    if (isWanted || stopped.signal.aborted) return;
    isAsking = true;
    let pause = 0;
    try {
      pause = await ask(stopped.signal);
    } catch (error) {
      if (stopped.signal.aborted) return;
      console.error(error);
      pause = 10_000;
    }
    isAsking = false;
    if (stopped.signal.aborted) return;
    timer = setTimeout(run, isWanted ? 0 : pause);
  }

  document.addEventListener("visibilitychange", () => !document.hidden && isWanted && run(), { signal: stopped.signal });
  void run();
  return {
    soon: () => void run(),
    stop: () => {
      clearTimeout(timer);
      stopped.abort();
    },
  };
}
