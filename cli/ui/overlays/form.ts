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
  /** The fields that are asked now. */
  function asked() {
    const values: Record<string, string> = {};
    return fields.flatMap((field, index) => {
      const own = state.get().fields[index];
      if (!own || field.isAsked?.(values) === false) return [];
      values[field.name] = valueOf(field, own);
      return [{ field, own, index }];
    });
  }
  const move = (by: 1 | -1) =>
    state.update((now) => {
      const all = asked().map(({ index }) => index);
      return { ...now, focused: all.at((all.indexOf(now.focused) + by) % all.length) ?? 0 };
    });
  const current = () => {
    const { focused, fields: states } = state.get();
    const [field, fieldState] = [fields[focused], states[focused]];
    return field && fieldState ? { field, fieldState, focused } : undefined;
  };

  async function submit(): Promise<void> {
    const pairs = asked();
    const faults = fields.map((field) => {
      const pair = pairs.find((each) => each.field === field);
      return pair && faultOf(field, pair.own);
    });
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
        else if (key === 'tab' || key === 'down') move(1);
        else if (key === 'shift-tab' || key === 'up') move(-1);
        else if (key === 'enter' && at && at.focused !== asked().at(-1)?.index) move(1);
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
      const { focused, faults, isBusy, failure } = state.get();
      const now = asked();
      const labelWidth = Math.max(...fields.map(({ label }) => widthOf(label)));
      const blocks = now.map(({ field, own, index }) => ({
        index,
        lines: fieldLines(field, own, {
          theme: ui.theme,
          labelWidth,
          width: columns,
          isFocused: index === focused,
          fault: faults[index],
        }),
      }));
      const lines = [
        ...blocks.flatMap((block) => block.lines),
        ...(failure ? [blank, ...failureLines(failure, columns)] : []),
      ];
      const isLast = focused === now.at(-1)?.index;
      const before = blocks.filter(({ index }) => index < focused).flatMap((block) => block.lines);
      return {
        title: form.title,
        lines,
        focus: failure ? lines.length - 1 : before.length,
        footer: isBusy
          ? 'asking …'
          : `enter ${isLast ? (form.end ?? 'continues to the plan') : 'next field'}  tab moves  esc closes`,
      };
    },
  };
}
