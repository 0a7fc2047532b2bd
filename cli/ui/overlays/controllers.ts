import type { Ui } from '../ui.ts';
import { filterSession } from './filter.ts';
import { formSession } from './form.ts';
import { helpSession } from './help.ts';
import type { Overlay } from './overlay.ts';
import { paletteSession } from './palette.ts';
import { planSession } from './plan.ts';
import { secretSession } from './secret.ts';
import type { Session } from './controller.ts';
import { signInSession } from './sign-in.ts';
import { textSession } from './text.ts';

/** What is kept of each overlay, for as long as the overlay itself is: one that is left for another is as it was when it comes back. */
const sessions = new WeakMap<Overlay, Session>();

export function sessionOf(ui: Ui, overlay: Overlay): Session {
  const session = sessions.get(overlay) ?? begin(ui, overlay);
  sessions.set(overlay, session);
  return session;
}

function begin(ui: Ui, overlay: Overlay): Session {
  switch (overlay.kind) {
    case 'filter':
      return filterSession(ui);
    case 'palette':
      return paletteSession(ui);
    case 'help':
      return helpSession(ui);
    case 'form':
      return formSession(ui, overlay);
    case 'plan':
      return planSession(ui, overlay);
    case 'secret':
      return secretSession(ui, overlay);
    case 'text':
      return textSession(ui, overlay);
    case 'signIn':
      return signInSession(ui, overlay);
  }
}
