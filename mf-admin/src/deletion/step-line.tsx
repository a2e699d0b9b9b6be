import { Icon, Spinner } from '@clinic/ui';
import type { Step } from './progress.ts';

const stateText: Readonly<Record<Step['state'], string>> = {
  waiting: 'not started',
  working: 'in progress',
  done: 'done',
};

/** The steps of a deletion and their progress. */
export const StepList = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol className="grid gap-3" aria-label="Deletion steps">
    {steps.map((step) => (
      <StepLine key={step.id} {...step} />
    ))}
  </ol>
);

function StepLine({ name, state, note }: Step) {
  return (
    <li className="flex items-start gap-3">
      <span className={state === 'done' ? 'text-success' : 'text-muted'}>
        {state === 'working' ? (
          <Spinner label="" size={20} />
        ) : (
          <Icon name={state === 'done' ? 'check-circle' : 'clock'} size={20} />
        )}
      </span>
      <span>
        {/* A state that only a later release knows is shown as it is. */}
        <span className="font-medium">{name}</span>: {stateText[state] ?? state}
        {note !== undefined && <span className="block text-sm text-muted">{note}</span>}
      </span>
    </li>
  );
}
