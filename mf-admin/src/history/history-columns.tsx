import { Link, useSearchParams } from '@clinic/app-kit';
import { Button, EmailLink } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { actionsColumn } from '@clinic/ui/list-parts';
import type { Column } from '@clinic/ui/tables';
import { Fragment } from 'react';
import { inWords, WhenBelow } from '../instants.tsx';
import { fieldChanges, labelOf, recordAddress, recordName } from './describe-event.ts';
import type { ListedEvent } from './merge-events.ts';

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The history's columns. @param timeZone - the clinic's */
export function columnsFor(timeZone: string): readonly Column<ListedEvent>[] {
  return [
    {
      key: 'action',
      header: 'What',
      primary: true,
      cell: ({ action, at }) => (
        <>
          {capitalise(labelOf(action))}
          <WhenBelow at={at} timeZone={timeZone} />
        </>
      ),
    },
    {
      key: 'actor',
      header: 'Who',
      foldInto: 'action',
      foldLabel: 'By',
      cell: ({ actor }) =>
        actor ? (
          <>
            <EmailLink email={actor.email} />
            <span className="block text-sm text-muted">{actor.role}</span>
          </>
        ) : (
          <span className="whitespace-nowrap">The system</span>
        ),
    },
    { key: 'changes', header: 'Before and after', cell: (event) => <Changes event={event} timeZone={timeZone} /> },
    {
      key: 'record',
      header: 'Record',
      foldInto: 'changes',
      cell: (event) => <RecordLink event={event} />,
    },
    // The record of a sign-in contains nothing else.
    actionsColumn((event) => event.record.type !== 'sign-in' && <OnlyThisButton event={event} timeZone={timeZone} />),
  ];
}

function RecordLink({ event }: { readonly event: ListedEvent }) {
  const to = recordAddress(event);
  const text = capitalise(event.record.type);
  const name = recordName(event);
  return (
    <>
      {to ? (
        <Link className="whitespace-nowrap text-primary underline underline-offset-4" to={to}>
          {text}
        </Link>
      ) : (
        text
      )}
      {name && (
        <span className="block max-w-60 text-sm text-muted wrap-break-word">
          <Value text={name} />
        </span>
      )}
    </>
  );
}

function OnlyThisButton({ event, timeZone }: { readonly event: ListedEvent; readonly timeZone: string }) {
  const { record, action, at } = event;
  const what = [recordName(event), `${labelOf(action)} ${inWords(at, timeZone)}`].filter(Boolean).join(', ');
  const [, setSearch] = useSearchParams();
  const show = (): void =>
    setSearch(
      (current) => {
        const changed = new URLSearchParams(current);
        changed.set('record', record.id);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Button variant="ghost" size="sm" icon="clock" aria-label={`Only this ${record.type}: ${what}`} onClick={show}>
      Only this {record.type}
    </Button>
  );
}

/** A value that may contain email addresses, which don't break inside a word. */
function Value({ text }: { readonly text: string }) {
  return text
    .split(/([^\s,]+@[^\s,]+)/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : <EmailText email={part} />}</Fragment>);
}

/** Longer ones are collapsed. */
const mostShown = 4;

function Changes({ event, timeZone }: { readonly event: ListedEvent; readonly timeZone: string }) {
  const changes = fieldChanges(event, timeZone);
  if (changes.length === 0) return <>–</>;
  const lines = (some: typeof changes) => (
    <ul className="grid max-w-96 gap-0.5 text-sm wrap-break-word">
      {some.map(({ field, before, after }) => (
        <li key={field}>
          <span className="text-muted">{field}:</span>{' '}
          {before !== undefined && (
            <>
              <Value text={before} /> <span aria-hidden="true">→</span>
              <span className="sr-only">became</span>{' '}
            </>
          )}
          <Value text={after} />
        </li>
      ))}
    </ul>
  );
  if (changes.length <= mostShown) return lines(changes);
  return (
    <details>
      <summary className="cursor-pointer text-sm">{changes.length} fields</summary>
      {lines(changes)}
    </details>
  );
}
