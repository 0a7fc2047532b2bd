import { widthOf } from '../../output/text-width.ts';
import { failureLines } from '../components/line.ts';
import type { Failure } from '../data/freshness.ts';
import { createStore } from '../data/store.ts';
import type { Ui } from '../ui.ts';
import { fieldAfterKey, fieldLines, fieldWithText, faultOf, initialState, valueOf, type FieldState } from './field.ts';
import type { Overlay } from './overlay.ts';
import { blank } from './panel.ts';
import type { OverlayController } from './controller.ts';
import { failureFrom } from './failure.ts';

interface State {
  fields: readonly FieldState[];
  focused: number;
  /** Why fields are invalid, since the last attempt. */
  faults: readonly (string | undefined)[];
  isBusy: boolean;
  failure: Failure | undefined;
}

/** Fields to fill in; submitting them makes a plan. */
export function formController(ui: Ui, overlay: Extract<Overlay, { kind: 'form' }>): OverlayController {
  const { form } = overlay;
  const { fields } = form;
  const state = createStore<State>({
    fields: fields.map(initialState),
    focused: 0,
    faults: [],
    isBusy: false,
    failure: undefined,
  });
  const put = (next: FieldState) =>
    state.update((now) => ({
      ...now,
      fields: now.fields.with(now.focused, next),
      faults: now.faults.map((fault, index) => (index === now.focused ? undefined : fault)),
    }));
  const focus = (index: number) =>
    state.update((now) => ({ ...now, focused: (index + fields.length) % fields.length }));
  const current = () => {
    const { focused, fields: states } = state.get();
    const [field, fieldState] = [fields[focused], states[focused]];
    return field && fieldState ? { field, fieldState, focused } : undefined;
  };

  async function submit(): Promise<void> {
    const { fields: states } = state.get();
    const pairs = fields.flatMap((field, index) => {
      const own = states[index];
      return own ? [{ field, own }] : [];
    });
    const faults = pairs.map(({ field, own }) => faultOf(field, own));
    const wrong = faults.findIndex((fault) => fault !== undefined);
    if (wrong !== -1) return state.update((now) => ({ ...now, faults, focused: wrong }));
    state.update((now) => ({ ...now, faults: [], isBusy: true, failure: undefined }));
    try {
      const plan = await form.submit(
        Object.fromEntries(pairs.map(({ field, own }) => [field.name, valueOf(field, own)])),
      );
      state.update((now) => ({ ...now, isBusy: false }));
      // The form was closed meanwhile, or opened an overlay of its own.
      if (ui.overlay.get() === overlay) ui.overlay.set(plan && { kind: 'plan', plan, from: overlay });
    } catch (error) {
      state.update((now) => ({ ...now, isBusy: false, failure: failureFrom(error) }));
    }
  }

  return {
    state,
    key(key) {
      if (key === 'esc') ui.overlay.set(undefined);
      else if (state.get().isBusy) return false;
      else {
        const at = current();
        const next = at && fieldAfterKey(at.field, at.fieldState, key);
        if (next) put(next);
        else if (key === 'tab' || key === 'down') focus(state.get().focused + 1);
        else if (key === 'shift-tab' || key === 'up') focus(state.get().focused - 1);
        else if (key === 'enter' && at && at.focused < fields.length - 1) focus(at.focused + 1);
        else if (key === 'enter') void submit();
        else return false;
      }
      return true;
    },
    paste(text) {
      const at = current();
      if (at && !state.get().isBusy) put(fieldWithText(at.field, at.fieldState, text));
    },
    panel({ columns }) {
      const { fields: states, focused, faults, isBusy, failure } = state.get();
      const labelWidth = Math.max(...fields.map(({ label }) => widthOf(label)));
      const blocks = fields.map((field, index) =>
        fieldLines(field, states[index] ?? initialState(field), {
          theme: ui.theme,
          labelWidth,
          width: columns,
          isFocused: index === focused,
          fault: faults[index],
        }),
      );
      const lines = [...blocks.flat(), ...(failure ? [blank, ...failureLines(failure, columns)] : [])];
      const isLast = focused === fields.length - 1;
      return {
        title: form.title,
        lines,
        focus: failure ? lines.length - 1 : blocks.slice(0, focused).flat().length,
        footer: isBusy
          ? 'asking …'
          : `enter ${isLast ? (form.end ?? 'continues to the plan') : 'next field'}  tab moves  esc closes`,
      };
    },
  };
}
