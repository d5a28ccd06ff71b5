import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Toasts } from '../components/toast.tsx';
import { readSession, subscribeSession } from '../lib/session.ts';
import { LinkQuestion } from './link-question.tsx';
import { queryClient } from './query-client.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

export function App() {
  const { id, reason, offered, provider } = useSyncExternalStore(subscribeSession, readSession);
  // Data visible to one person must not be shown to the next.
  useEffect(() => {
    let seen = readSession().id;
    return subscribeSession(() => {
      const now = readSession().id;
      if (now !== seen) queryClient.clear();
      seen = now;
    });
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      {id ? (
        <Shell key={id} />
      ) : (
        <SignInPage key={String(reason)} reason={reason} hasProvider={provider !== undefined} />
      )}
      {id && offered ? <LinkQuestion offered={offered} /> : null}
      <Toasts />
    </QueryClientProvider>
  );
}
