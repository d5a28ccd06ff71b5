/** The version that this tab was reloaded for last. */
const RELOADED_FOR = 'plimsoll-reloaded-for';

/** The program as a document names it; its file's name changes with each version. */
const programOf = (page: Document): string | null | undefined =>
  page.querySelector('script[type=module][src]')?.getAttribute('src');

/**
 * After an upgrade the parts that this version would still load are gone: the page is loaded anew,
 * once for each new version. A part that is missing for another reason is told where it would
 * stand.
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
