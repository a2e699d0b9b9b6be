import { definePage, Link, useCall, useParams } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, brand, Button, ButtonLink, SelectField, Skeleton } from '@clinic/ui';
import { useState, type ComponentProps } from 'react';
import type { LinkAction } from '../calls.ts';
import { DeadLink, deadly } from './dead-link.tsx';
import { LinkCard } from './link-card.tsx';
import { useLinkWords } from './words/use-link-words.ts';
import '../setup.ts';

/** What each link does, on its button. */
const icons = { cancel: 'x', move: 'calendar', arrive: 'pin', come: 'check' } as const;

/** `/message-actions/:token`: says what the link of a message would do, and does it when asked. Opening it changes nothing. */
export function ActionPage() {
  const { token = '' } = useParams();
  const { words } = useLinkWords();
  const answer = useCall('readMessageAction', { params: { token } });
  const [done, setDone] = useState<Pick<LinkAction, 'action' | 'visit'>>();
  if (done) return <Done {...done} />;
  if (answer.data) return <Question token={token} action={answer.data} onDone={setDone} onStale={answer.refetch} />;
  if (answer.error) return <Dead problem={answer.error} onRetry={() => void answer.refetch()} />;
  return (
    <LinkCard title={words.visit.title}>
      <output className="sr-only">{words.loading}</output>
      <Skeleton className="h-32" />
    </LinkCard>
  );
}

interface QuestionProps {
  readonly token: string;
  readonly action: LinkAction;
  readonly onDone: (done: Pick<LinkAction, 'action' | 'visit'>) => void;
  /** The free times have changed. */
  readonly onStale: () => unknown;
}

function Question({ token, action: { action, visit, freeTimes = [] }, onDone, onStale }: QuestionProps) {
  const { words } = useLinkWords();
  const [chosen, setChosen] = useState<{ readonly date: string; readonly time: string }>();
  const [missing, setMissing] = useState(false);
  const take = useChange('takeMessageAction', {
    failure: false,
    onDone,
    onError: ({ code }) => {
      if (code === 'slot_taken') {
        setChosen(undefined);
        onStale();
      }
    },
  });
  const { error } = take;
  if (error && deadly.some((code) => code === error.code)) return <Dead problem={error} onRetry={() => take.reset()} />;
  const moves = action === 'move';

  function press(): void {
    setMissing(moves && !chosen);
    if (!moves || chosen) take.mutate({ params: { token }, body: { ...chosen } });
  }

  // A newer release may know more that a link can do.
  if (!Object.hasOwn(words.visit, action))
    return (
      <LinkCard title={words.visit.title}>
        <Visit {...visit} />
        <p>{words.visit.instead(brand.phone)}</p>
      </LinkCard>
    );

  return (
    <LinkCard title={words.visit[action].question}>
      <Visit {...visit} />
      {moves && freeTimes.length === 0 && <Alert>{words.visit.noFreeTimes}</Alert>}
      {moves && freeTimes.length > 0 && (
        <SelectField
          label={words.visit.newTime}
          required
          placeholder={words.visit.choose}
          options={freeTimes.flatMap(({ date, times }) =>
            times.map((time) => ({ value: `${date} ${time}`, label: words.when(date, time) })),
          )}
          error={missing ? words.visit.choose : undefined}
          value={chosen ? `${chosen.date} ${chosen.time}` : ''}
          onChange={({ target: { value } }) => {
            const [date = '', time = ''] = value.split(' ');
            setMissing(false);
            setChosen({ date, time });
          }}
        />
      )}
      {error && (
        <Alert kind="error" title={words.unchanged(error)}>
          {words.error(error)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {(!moves || freeTimes.length > 0) && (
          <Button icon={icons[action]} busy={take.isPending} onClick={press}>
            {words.visit[action].press}
          </Button>
        )}
        <ButtonLink component={Link} to="/" variant="ghost">
          {words.visit.keep}
        </ButtonLink>
      </div>
    </LinkCard>
  );
}

function Dead(props: Omit<ComponentProps<typeof DeadLink>, 'children'>) {
  const { visit } = useLinkWords().words;
  return (
    <DeadLink {...props}>
      <p>{visit.instead(brand.phone)}</p>
      <div>
        <ButtonLink component={Link} to="/dash/patient" icon="calendar">
          {visit.mine}
        </ButtonLink>
      </div>
    </DeadLink>
  );
}

function Done({ action, visit }: Pick<LinkAction, 'action' | 'visit'>) {
  const { visit: words } = useLinkWords().words;
  // Whoever cancelled has nothing left to see.
  const kept = action !== 'cancel';
  return (
    <LinkCard title={words[action].done}>
      <output>{words[action].result}</output>
      <Visit {...visit} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink component={Link} to={kept ? '/dash/patient' : '/ourDoctors'} icon="calendar">
          {kept ? words.mine : words.bookAnother}
        </ButtonLink>
      </div>
    </LinkCard>
  );
}

function Visit({ doctor, date, time }: LinkAction['visit']) {
  const { words } = useLinkWords();
  return (
    <p className="rounded-card bg-base-200 p-4">
      <strong className="block font-semibold wrap-anywhere">{doctor}</strong>
      <time dateTime={`${date}T${time}`}>{words.when(date, time)}</time>
    </p>
  );
}

export default definePage({ Component: ActionPage });
