import { Link, useConfig, usePageTitle, useQuery, useSearchParams, useSession } from '@clinic/app-kit';
import {
  Alert,
  Button,
  ButtonLink,
  Card,
  EmailText,
  EmptyState,
  ErrorState,
  Icon,
  Spinner,
  TextField,
} from '@clinic/ui';
import { all, isEmail, required, useFields } from './use-fields.ts';

/** A mail that the demo's identity provider would have sent. */
interface DemoMail {
  readonly mode: string;
  readonly to: string;
  /** Path of ours. */
  readonly link: string;
  /** ISO instant. */
  readonly at?: string;
}

const subjects: Readonly<Record<string, { readonly subject: string; readonly text: string; readonly press: string }>> =
  {
    verifyEmail: {
      subject: 'Confirm your email address',
      text: 'Someone registered with this address. If it was you, confirm it.',
      press: 'Confirm the address',
    },
    resetPassword: {
      subject: 'Choose a new password',
      text: 'Someone asked for a new password for the account with this address.',
      press: 'Choose a new password',
    },
    verifyAndChangeEmail: {
      subject: 'Confirm your new email address',
      text: 'Someone asked to use this address for their account. If it was you, confirm it.',
      press: 'Use this address',
    },
    recoverEmail: {
      subject: 'Your email address was changed',
      text: 'If it wasn’t you, change it back.',
      press: 'Undo the change',
    },
  };

const rules = { email: all(required('Email is required'), isEmail) };

/** /demo-mailbox: mails that a real clinic would have sent. In a demo nobody has a mailbox, so everybody reads everybody's here. */
export function DemoMailboxPage() {
  usePageTitle('Demo mailbox');
  const { demoMode } = useConfig();
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const email = search.get('email') ?? user?.email ?? '';
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 px-4 py-10 sm:py-14">
      <header>
        <h1 className="text-title font-bold">Demo mailbox</h1>
        <p className="mt-2 text-muted">The emails a real clinic sends about accounts.</p>
      </header>
      {demoMode ? (
        <>
          <Alert kind="warning" title="This is a demo">
            We don’t send any emails, and anyone can read them all here. A real clinic doesn’t have this page.
          </Alert>
          <AddressForm key={email} email={email} onOpen={(next) => setSearch({ email: next }, { replace: true })} />
          {email !== '' && <Mails email={email} />}
        </>
      ) : (
        <EmptyState
          icon="mail"
          title="There’s no demo mailbox here"
          text="This page is only for demos. Check your own inbox."
          action={
            <ButtonLink component={Link} to="/">
              Home
            </ButtonLink>
          }
        />
      )}
    </div>
  );
}

function AddressForm({ email, onOpen }: { readonly email: string; readonly onOpen: (email: string) => void }) {
  const form = useFields({ email }, rules);
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => form.submit(event, (values) => onOpen(values.email.trim().toLowerCase()))}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-w-0 flex-[1_1_14rem]"
        {...form.field('email')}
      />
      <Button type="submit" variant="secondary" icon="mail" className="sm:mt-7">
        Open
      </Button>
    </form>
  );
}

async function readMails(email: string, signal: AbortSignal): Promise<readonly DemoMail[]> {
  const answer = await fetch(`/demo/mails?email=${encodeURIComponent(email)}`, {
    signal,
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) throw new Error(`The mailbox answered ${answer.status}`);
  return (await answer.json()) as readonly DemoMail[];
}

function Mails({ email }: { readonly email: string }) {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['demoMails', email],
    queryFn: ({ signal }) => readMails(email, signal),
    staleTime: 0,
  });
  if (isPending)
    return (
      <p className="flex justify-center py-8">
        <Spinner size={28} />
      </p>
    );
  if (error)
    return (
      <Card>
        <ErrorState title="We couldn’t open the mailbox" onRetry={() => void refetch()} />
      </Card>
    );
  const reload = (
    <Button size="sm" variant="ghost" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
      Check again
    </Button>
  );
  if (data.length === 0)
    return (
      <Card>
        <EmptyState
          icon="mail"
          title="No emails"
          text={
            <span>
              We haven’t sent anything to <EmailText email={email} />, or every link has been used.
            </span>
          }
          action={reload}
        />
      </Card>
    );
  return (
    <section aria-labelledby="mails" className="grid gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 id="mails" className="text-heading font-semibold wrap-anywhere">
          Emails to <EmailText email={email} />
        </h2>
        {reload}
      </div>
      <ul className="grid gap-3">
        {data.map((mail) => (
          <li key={mail.link}>
            <MailCard mail={mail} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function MailCard({ mail: { mode, link, at } }: { readonly mail: DemoMail }) {
  const { subject, text, press } = subjects[mode] ?? { subject: 'An email', text: '', press: 'Open the link' };
  return (
    <Card as="article" className="grid gap-3">
      <div className="flex items-start gap-3">
        <Icon name="mail" className="mt-1 shrink-0 text-primary" />
        <div className="min-w-0">
          <h3 className="font-semibold">{subject}</h3>
          {at && (
            <p className="text-sm text-muted">
              <time dateTime={at}>
                {new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}
              </time>
            </p>
          )}
        </div>
      </div>
      <p>{text}</p>
      <div>
        <ButtonLink component={Link} to={link}>
          {press}
        </ButtonLink>
      </div>
    </Card>
  );
}
