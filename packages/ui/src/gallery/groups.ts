import type { Examples } from './example.ts';
import { actions } from './examples/actions.tsx';
import { charts } from './examples/charts.tsx';
import { choices } from './examples/choices.tsx';
import { dialogs } from './examples/dialogs.tsx';
import { fields } from './examples/fields.tsx';
import { graphics } from './examples/graphics.tsx';
import { lists } from './examples/lists.tsx';
import { records } from './examples/records.tsx';
import { states } from './examples/states.tsx';

/** The parts of the catalogue, by the name in the page's address. */
export const groups: Readonly<Record<string, { readonly title: string; readonly examples: Examples }>> = {
  actions: { title: 'Actions', examples: actions },
  fields: { title: 'Fields', examples: fields },
  choices: { title: 'Search, filters and choices', examples: choices },
  states: { title: 'Messages and states', examples: states },
  records: { title: 'Records', examples: records },
  lists: { title: 'Lists', examples: lists },
  dialogs: { title: 'Dialogs', examples: dialogs },
  charts: { title: 'Figures and charts', examples: charts },
  graphics: { title: 'Brand and icons', examples: graphics },
};

/** How components respond to pointer and keyboard, which a still example doesn't show. */
export const behaviour: Readonly<Record<string, string>> = {
  Button:
    'Hover: a darker surface. Focus: an outline, at a distance from the edge. Busy: ignores presses and keeps the focus. Labels don’t wrap: keep them short enough for a phone.',
  ButtonLink: 'Hover and focus as on a button; Enter follows the link, the space bar scrolls.',
  TextField: 'Focus: an outline in the primary colour. An error is read out as soon as it appears.',
  PasswordField: 'The eye is a Tab stop of its own and says what it does next.',
  SearchField: 'The cross appears with the first letter, clears at once and returns the focus.',
  Switch: 'The space bar toggles it; the whole label is the target.',
  StatusSelector: 'Busy while the change is pending. Escape in the question keeps the old value.',
  StatusBadge: 'Words don’t wrap.',
  Card: 'Only a card that is a link rises under the pointer, and not where motion is reduced.',
  RowMenu: 'Enter opens, Escape closes and returns the focus; scrolling closes it.',
  Pagination: 'At either end the button stays in the Tab order, so that the focus isn’t lost.',
  Dialog: 'Tab stays inside. Escape and a press outside close it; the focus returns to where it was.',
  ConfirmDialog: 'The button that changes nothing comes first and has the focus.',
  BarChart: 'One Tab stop. Arrow keys, Home and End move through the bars; Escape hides the tooltip.',
  DataTable: 'Below 768 px, or where its columns don’t fit, rows become cards.',
};

/** Components that can be on a page once only; their examples show on request. */
export const once: ReadonlySet<string> = new Set(['PageHeader']);
