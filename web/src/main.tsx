import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadAfterUpgrade } from './lib/missing-part.ts';
import { beginSession, openLink, takeLink } from './lib/session.ts';
import { applyTheme } from './lib/theme.ts';
import { App } from './shell/app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/forms.css';
import './styles/shell.css';

applyTheme();
reloadAfterUpgrade();
const linked = takeLink();
addEventListener('hashchange', () => void openLink(takeLink()));

const root = document.getElementById('root');
if (root) {
  await beginSession(linked);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
