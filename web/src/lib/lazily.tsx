import { type ComponentType, useEffect, useState } from 'react';

const Nothing = (): null => null;

/**
 * A component that is loaded when it is first shown. React's own `lazy` would hold it back:
 * whatever replaces what Suspense shows meanwhile waits for 300 ms, however soon it was loaded.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType = Nothing,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazily(props: Props) {
    const [Loaded, show] = useState(() => loaded);
    const [failure, fail] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Loaded) return;
      const keep = (component: ComponentType<Props>): void => {
        loaded = component;
        show(() => component);
      };
      load().then(keep, (error: unknown) => fail({ error }));
    }, [Loaded]);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : <Meanwhile />;
  };
}
