import { definePage, useLocation, useQueryClient, useSearchParams } from '@clinic/app-kit';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import { Alert, Button, Card, classNames, EmptyState, ErrorState, Pagination, SearchField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { MailList } from './mail-list.tsx';
import { OpenMail } from './open-mail.tsx';
import '../setup.ts';

/**
 * Demo mailbox (`/mailbox`): all emails that a demo's clinic has sent. In a demo nobody has a mailbox, so everybody reads
 * everybody's here. Elsewhere the page doesn't exist.
 */
export function MailboxPage() {
  return (
    <div className="mx-auto grid w-full max-w-page gap-6 px-4 py-8 sm:px-6 lg:py-12">
      <header>
        <h1 className="text-title font-bold">Demo mailbox</h1>
        <p className="mt-2 text-muted">All emails that the clinic sends: about accounts, appointments and orders.</p>
      </header>
      <Alert kind="warning" title="This is a demo">
        These emails go nowhere else, and anyone can read them here. A real clinic doesn’t have this page.
      </Alert>
      <Mails />
    </div>
  );
}

/** Milliseconds after which the list is read again: a mail arrives seconds after what it is about. */
const arrivesEvery = 3_000;

/** Beside the list, where there's room. */
function NoneOpened() {
  return (
    <Card className="max-lg:hidden">
      <EmptyState icon="mail" title="No email is open" text="Choose one from the list to read it." />
    </Card>
  );
}

function Mails() {
  const list = useListState();
  const client = useQueryClient();
  const mails = usePagedCall(
    'listMailbox',
    { q: list.q || undefined },
    {
      staleTime: 0,
      refetchInterval: arrivesEvery,
    },
  );
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const opened = search.get('mail') ?? '';

  /** A history entry of its own, on the same page of the list: Back returns to it. */
  function open(id: string): void {
    const next = new URLSearchParams(search);
    if (id === '') next.delete('mail');
    else next.set('mail', id);
    setSearch(next, { state: state as unknown, preventScrollReset: true });
  }

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <section aria-label="Emails" className={classNames('grid min-w-0 gap-4', opened !== '' && 'max-lg:hidden')}>
        <div className="flex flex-wrap items-end gap-2">
          <SearchField
            className="min-w-0 flex-[1_1_13rem]"
            label="Search by address"
            placeholder="Email address"
            value={list.text}
            onChange={list.setText}
          />
          <Button
            size="sm"
            variant="ghost"
            icon="refresh"
            busy={mails.refreshing}
            onClick={() => void client.invalidateQueries({ queryKey: ['listMailbox'] })}
          >
            Check again
          </Button>
        </div>
        {mails.error ? (
          <Card>
            <ErrorState title="We couldn’t open the mailbox" text={mails.error.message} onRetry={mails.retry} />
          </Card>
        ) : mails.loading ? (
          <Loading className="h-72" />
        ) : mails.rows.length === 0 ? (
          <Card>
            <EmptyState
              icon="mail"
              title={list.q ? 'No emails match' : 'No emails yet'}
              text={
                list.q
                  ? 'One may be on its way. Or try another address.'
                  : 'Book an appointment or order something: its email arrives here.'
              }
            />
          </Card>
        ) : (
          <MailList mails={mails.rows} opened={opened} onOpen={open} />
        )}
        <Pagination
          {...mails}
          label="Pages of emails"
          count={mails.rows.length}
          busy={mails.refreshing}
          onPrevious={mails.previous}
          onNext={mails.next}
        />
      </section>
      {opened !== '' ? (
        <OpenMail key={opened} id={opened} onBack={() => open('')} />
      ) : (
        mails.rows.length > 0 && <NoneOpened />
      )}
    </div>
  );
}

export default definePage({ Component: MailboxPage });
