/** The title of the window: how many incidents are open, then the page. */
let page = 'Plimsoll';
let count = 0;

const write = (): void => {
  document.title = count > 0 ? `(${count}) ${page}` : page;
};

export function setTitlePage(title: string): void {
  page = `${title} · Plimsoll`;
  write();
}

export function setTitleCount(next: number): void {
  if (next === count) return;
  count = next;
  write();
  // On the icon, too, if the dashboard is installed as an app.
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
