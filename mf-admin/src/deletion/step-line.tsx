import { Icon, Spinner } from '@clinic/ui';
import type { Progress, Step, StepState } from './progress.ts';

const stateText: Readonly<Record<StepState['is'], string>> = {
  waiting: 'not started',
  working: 'in progress',
  done: 'done',
  failed: 'not finished',
};

/** The steps of a deletion and their progress. */
export const StepList = ({ progress }: { readonly progress: Progress }) => (
  <ol className="grid gap-3" aria-label="Deletion steps">
    {progress.map((step) => (
      <StepLine key={step.id} {...step} />
    ))}
  </ol>
);

function StepLine({ name, state }: Step) {
  return (
    <li className="flex items-start gap-3">
      <span className={state.is === 'done' ? 'text-success' : state.is === 'failed' ? 'text-error' : 'text-muted'}>
        {state.is === 'working' ? (
          <Spinner label="" size={20} />
        ) : (
          <Icon
            name={state.is === 'done' ? 'check-circle' : state.is === 'failed' ? 'alert-circle' : 'clock'}
            size={20}
          />
        )}
      </span>
      <span>
        <span className="font-medium">{name}</span>: {stateText[state.is]}
        {'note' in state && <span className="block text-sm text-muted">{state.note}</span>}
        {state.is === 'failed' && (
          <span className="block text-sm" role="alert">
            {state.reason}
          </span>
        )}
      </span>
    </li>
  );
}
