/** The version for which this tab was last reloaded. */
const RELOADED_FOR = 'plimsoll-reloaded-for';

/** The program's file named by a document; it changes with each version. */
const programOf = (page: Document): string | null | undefined =>
  page.querySelector('script[type=module][src]')?.getAttribute('src');

/**
 * After an upgrade the parts of this version that were not loaded yet are gone: the page is
 * reloaded, once for each new version. A part missing for another reason is reported in its place.
 */
export function reloadAfterUpgrade(): void {
  const running = programOf(document);
  addEventListener('vite:preloadError', () => {
    void servedProgram().then((served) => {
      if (!served || served === running || sessionStorage.getItem(RELOADED_FOR) === served) return;
      sessionStorage.setItem(RELOADED_FOR, served);
      location.reload();
    });
  });
}

async function servedProgram(): Promise<string | null | undefined> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    return programOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    return undefined;
  }
}
