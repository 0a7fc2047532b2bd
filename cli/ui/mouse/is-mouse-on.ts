import type { Ui } from '../ui.ts';

export const isMouseOn = ({ preferences }: Pick<Ui, 'preferences'>): boolean => preferences.get().mouse ?? true;
