import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { readinessOperation } from '../../../src/contract/operations/system.ts';
import { DropAnywhere } from '../accounts/drop-anywhere.tsx';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { KeyHelp } from '../components/key-help.tsx';
import { Page } from '../components/page.tsx';
import { DeskBadge } from '../desk/desk-badge.tsx';
import { DeskWatch } from '../desk/desk-watch.tsx';
import { onReconnect, useConnection, watchConnection } from '../lib/connection.ts';
import { formatAge } from '../lib/format.ts';
import { useKeys } from '../lib/keys.ts';
import { useNow } from '../lib/now.ts';
import { path as pages } from '../lib/path.ts';
import { matchPath, useLocation } from '../lib/route.ts';
import { signOut } from '../lib/session.ts';
import { useRead } from '../lib/use-operation.ts';
import { Jump } from './jump-dialog.tsx';
import { Mark } from './mark.tsx';
import { routes } from './routes.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useCurrentToken } from './use-current-token.ts';
import { useShownRoutes } from './use-shown-routes.ts';

export function Shell() {
  const { path } = useLocation();
  const client = useQueryClient();
  useEffect(watchConnection, []);
  useEffect(() => onReconnect(() => void client.invalidateQueries()), [client]);
  const { state } = useConnection();
  const [isHelping, setHelping] = useState(false);
  useKeys({ help: () => setHelping(true) });
  return (
    <div className="shell" data-connection={state}>
      <button type="button" className="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <TopBar path={path} />
      <ConnectionBanner />
      <QuietBanner />
      <DeskWatch />
      <DropAnywhere />
      <Jump />
      {isHelping ? <KeyHelp close={() => setHelping(false)} /> : null}
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={path}>
          <CurrentPage path={path} />
        </ErrorBoundary>
      </main>
    </div>
  );
}

/** A button, because the hash is the address of the page and a link would change it. */
function skipToMain(): void {
  document.getElementById('main')?.focus();
}

function CurrentPage({ path }: { path: string }) {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return <route.page key={path} {...params} />;
  }
  return (
    <Page title="Not found">
      <Empty title="There is no such page" action={<a href={pages.accounts()}>To the accounts</a>}>
        The address may be mistyped or from another version.
      </Empty>
    </Page>
  );
}

function TopBar({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="top-bar">
      <a className="brand" href={pages.accounts()}>
        <Mark />
        Plimsoll
      </a>
      <Button
        className="menu-button"
        kind="quiet"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </Button>
      <div id="menu" className={`menu ${isOpen ? 'menu-open' : ''}`}>
        <Navigation path={path} />
        <div className="menu-end">
          <ThemeSwitch />
          <a className="quiet-link" href="/docs">
            API
          </a>
          <SignedInAs />
          <Button kind="quiet" onClick={() => void signOut('asked')}>
            Sign out
          </Button>
        </div>
      </div>
    </header>
  );
}

/** On every page: whatever is typed belongs to them. */
function SignedInAs() {
  const token = useCurrentToken();
  if (!token) return null;
  return (
    <a className="quiet-link signed-in" href={pages.sessions()} title="Sessions">
      {token.name ?? 'Operator'}
    </a>
  );
}

function Navigation({ path }: { path: string }) {
  const shown = useShownRoutes();
  return (
    <nav aria-label="Main">
      {shown.map((route) => {
        const isHere = path === route.pattern || path.startsWith(`${route.pattern}/`);
        return (
          <a
            key={route.pattern}
            href={`#${route.pattern}`}
            aria-current={isHere ? 'page' : undefined}
          >
            {route.title} {route.pattern === RISK ? <DeskBadge /> : null}
          </a>
        );
      })}
    </nav>
  );
}

const RISK = '/risk';

/** It changes with a restart only. */
const ASK_EVERY_MS = 60_000;

/** Says that the server holds back what others would notice, as on a restored copy. */
function QuietBanner() {
  const { data } = useRead<typeof readinessOperation>(
    ['readiness'],
    'GET /health/ready',
    {},
    { refetchInterval: ASK_EVERY_MS, retry: false },
  );
  if (!data?.quietJobs) return null;
  return (
    <div className="quiet-banner" role="status">
      <strong>Quiet.</strong> E-mails, webhooks, actions at breaches and readings of platforms wait
      until the server is started without <code>PLIMSOLL_QUIET_JOBS</code>.
    </div>
  );
}

/** Says that figures are old, as long as no new ones come in. */
function ConnectionBanner() {
  const connection = useConnection();
  if (connection.state === 'up') return null;
  const isLost = connection.state === 'lost';
  return (
    <div className="connection-banner" role="alert">
      <strong>{isLost ? 'Connection lost.' : 'Plimsoll is not ready.'}</strong>{' '}
      {isLost ? 'Plimsoll does not answer.' : connection.message}{' '}
      <span>
        Figures on this page are <Since answeredAtMs={connection.answeredAtMs} /> old or more.
        Retrying automatically.
      </span>
    </div>
  );
}

/** Ticks silently: the banner is read out once, not each second. */
function Since({ answeredAtMs }: { answeredAtMs: number }) {
  const nowMs = useNow();
  return (
    <span className="number" aria-live="off">
      {formatAge((nowMs - answeredAtMs) / 1000)}
    </span>
  );
}
