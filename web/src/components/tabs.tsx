import { useEffect, useRef } from 'react';

/** Links between parts of a page; each part has its own address. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: { id: Id; title: string; href: string; count?: number | undefined }[];
  current: Id;
}) {
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of sight
  useEffect(() => {
    const tab = bar.current?.querySelector('[aria-current]');
    if (!bar.current || !tab) return;
    // The page itself must stay where it is, so that this is no scrollIntoView().
    const [whole, part] = [bar.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (part.right > whole.right) bar.current.scrollLeft += part.right - whole.right;
    if (part.left < whole.left) bar.current.scrollLeft -= whole.left - part.left;
  }, [props.current]);
  return (
    <nav ref={bar} className="tabs" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <a
          key={tab.id}
          href={tab.href}
          aria-current={tab.id === props.current ? 'page' : undefined}
        >
          {tab.title}
          {tab.count === undefined ? null : <span className="count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  );
}
