import { api, definePage, useQuery, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallResponse } from '@clinic/contracts';
import { Card, CardSkeleton, EmptyState, ErrorState, PageHeader } from '@clinic/ui';
import { useState } from 'react';
import './calls.ts';
import type { ChosenChange } from './calls.ts';
import { CanaryDialog } from './canary-dialog.tsx';
import { ChangeDialog, doneText } from './change-dialog.tsx';
import { DeploymentCard } from './deployment-card.tsx';
import '../setup.ts';

/** Milliseconds between polls: figures come in, and decide about a canary, without anybody's doing. */
const pollMs = 10_000;

/** Deployments (`/dash/deployments`): the release of each front-end that visitors get, its figures and actions. */
export function DeploymentsPage() {
  const answer = useQuery<CallResponse<'listDeployments'>, ApiProblem>({
    queryKey: ['listDeployments'],
    queryFn: ({ signal }) => api.call('listDeployments', { signal }),
    refetchInterval: pollMs,
  });
  const [chosen, setChosen] = useState<ChosenChange>();
  const close = (): void => setChosen(undefined);
  const change = useChange('changeDeployment', {
    invalidates: ['listDeployments', 'listIdentityEvents'],
    success: doneText,
    onDone: close,
    onError: ({ code }) => {
      // What the admin decided on isn't so any more. Otherwise the same can be tried again.
      if (code === 'changed_meanwhile' || code === 'transition_refused' || code === 'not_found') close();
      void answer.refetch();
    },
  });
  const dialog = {
    busy: change.isPending,
    onCancel: close,
    onConfirm: ({ deployment: { name, revision } }: ChosenChange, body: object) =>
      change.mutate({ params: { name }, body: { ...body, revision } as (typeof change.variables & object)['body'] }),
  };
  return (
    <>
      <PageHeader
        title="Deployments"
        description="Which release of each part of the site visitors get, and how it’s doing."
      />
      {answer.data ? (
        <FrontEnds answer={answer.data} onChoose={setChosen} />
      ) : answer.isError ? (
        <Card>
          <ErrorState
            title="Error loading deployments"
            text={answer.error.message}
            onRetry={() => void answer.refetch()}
          />
        </Card>
      ) : (
        <>
          <output className="sr-only">Loading...</output>
          <CardSkeleton className="mb-6" />
          <CardSkeleton />
        </>
      )}
      {chosen?.change.kind === 'canary' ? (
        <CanaryDialog chosen={chosen} version={chosen.change.version} {...dialog} />
      ) : (
        chosen && <ChangeDialog chosen={chosen} {...dialog} />
      )}
    </>
  );
}

interface FrontEndsProps {
  readonly answer: CallResponse<'listDeployments'>;
  readonly onChoose: (chosen: ChosenChange) => void;
}

function FrontEnds({ answer: { days, frontEnds }, onChoose }: FrontEndsProps) {
  if (frontEnds.length === 0)
    return (
      <Card>
        <EmptyState
          icon="package"
          title="Releases aren’t kept here"
          text="This installation rolls back with the tool that deploys it, for example Kubernetes."
        />
      </Card>
    );
  return (
    <div className="grid gap-10">
      <p className="-mb-4 text-sm text-muted">Figures are of the last {days} days.</p>
      {frontEnds.map((deployment) => (
        <DeploymentCard
          key={deployment.name}
          deployment={deployment}
          days={days}
          onChoose={(change) => onChoose({ deployment, change })}
        />
      ))}
    </div>
  );
}

export default definePage({ Component: DeploymentsPage });
