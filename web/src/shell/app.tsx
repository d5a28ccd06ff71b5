import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Toasts } from '../components/toast.tsx';
import { readSession, subscribeSession } from '../lib/session.ts';
import { LinkQuestion } from './link-question.tsx';
import { queryClient } from './query-client.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

export function App() {
  const { token, reason, offered } = useSyncExternalStore(subscribeSession, readSession);
  // Data visible to one token must not be shown to the next.
  useEffect(() => {
    let seen = readSession().token;
    return subscribeSession(() => {
      const now = readSession().token;
      if (now !== seen) queryClient.clear();
      seen = now;
    });
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      {token ? <Shell key={token} /> : <SignInPage reason={reason} />}
      {token && offered ? <LinkQuestion offered={offered} /> : null}
      <Toasts />
    </QueryClientProvider>
  );
}
