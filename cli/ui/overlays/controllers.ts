import type { Ui } from '../ui.ts';
import { columnsController } from './columns.ts';
import { filterController } from './filter.ts';
import { formController } from './form.ts';
import { helpController } from './help.ts';
import type { Overlay } from './overlay.ts';
import { paletteController } from './palette.ts';
import { planController } from './plan.ts';
import { secretController } from './secret.ts';
import type { OverlayController } from './controller.ts';
import { signInController } from './sign-in.ts';
import { textController } from './text.ts';

/**
 * The controller of each overlay, as long as the overlay exists: one that is replaced and comes back keeps its state.
 */
const controllers = new WeakMap<Overlay, OverlayController>();

export function controllerOf(ui: Ui, overlay: Overlay): OverlayController {
  const controller = controllers.get(overlay) ?? begin(ui, overlay);
  controllers.set(overlay, controller);
  return controller;
}

function begin(ui: Ui, overlay: Overlay): OverlayController {
  switch (overlay.kind) {
    case 'filter':
      return filterController(ui);
    case 'palette':
      return paletteController(ui);
    case 'columns':
      return columnsController(ui);
    case 'help':
      return helpController(ui);
    case 'form':
      return formController(ui, overlay);
    case 'plan':
      return planController(ui, overlay);
    case 'secret':
      return secretController(ui, overlay);
    case 'text':
      return textController(ui, overlay);
    case 'signIn':
      return signInController(ui, overlay);
  }
}
