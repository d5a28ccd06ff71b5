/** Links between parts of a page; each part has its own address. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: { id: Id; title: string; href: string; count?: number | undefined }[];
  current: Id;
}) {
  return (
    <nav className="tabs" aria-label={props.label}>
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
