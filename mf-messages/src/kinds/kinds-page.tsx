import { definePage, Link, useCall, useSearchParams } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallResponse } from '@clinic/contracts';
import { languageOf } from '@clinic/svc-messages/contract/languages';
import { ButtonLink, Card, ErrorState, PageHeader, SelectField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { Switch } from '@clinic/ui/switch';
import { messageLists } from '../calls.ts';
import { languageOfMail } from '../mail/language-of-mail.ts';
import { MailTexts } from '../mail/mail-texts.tsx';
import { isKind, kindGroups, kindLabels, languageOptions } from '../words.ts';
import '../setup.ts';

type KindSetting = CallResponse<'listMessageKinds'>[number];

/** Kinds and Templates (`/dash/messages/kinds`): which messages the clinic sends, and how they look, for admins. */
export function KindsPage() {
  const answer = useCall('listMessageKinds', {});
  return (
    <>
      <PageHeader
        title="Kinds and Templates"
        description="Which emails the clinic sends, and how they look."
        actions={
          <ButtonLink component={Link} to="/dash/messages" variant="soft" icon="mail">
            All messages
          </ButtonLink>
        }
      />
      <div className="grid gap-6">
        <Card as="section" aria-labelledby="kinds">
          <h2 id="kinds" className="mb-1 text-heading font-bold">
            What we send
          </h2>
          <p className="mb-4 text-sm text-muted">
            For everybody, at once. A message that isn’t sent stays in the list.
          </p>
          {answer.data ? (
            <Kinds settings={answer.data} />
          ) : answer.isError ? (
            <ErrorState title="Error loading kinds" text={answer.error.message} onRetry={() => void answer.refetch()} />
          ) : (
            <Loading className="h-72" />
          )}
        </Card>
        <Preview />
      </div>
    </>
  );
}

function Kinds({ settings }: { readonly settings: readonly KindSetting[] }) {
  return (
    <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      {kindGroups.map(({ title, kinds }) => (
        <fieldset key={title}>
          <legend className="mb-1 font-semibold">{title}</legend>
          {settings
            .filter(({ kind }) => kinds.includes(kind))
            .map((setting) => (
              <KindSwitch key={setting.kind} setting={setting} />
            ))}
        </fieldset>
      ))}
    </div>
  );
}

function KindSwitch({ setting: { kind, enabled } }: { readonly setting: KindSetting }) {
  const label = kindLabels[kind];
  const change = useChange('changeMessageKind', {
    invalidates: ['listMessageKinds', ...messageLists],
    success: (after) => (after.enabled ? `${label}: sent from now on` : `${label}: not sent any more`),
    undo: (after) => ({
      call: 'changeMessageKind',
      input: { params: { kind }, body: { enabled: !after.enabled } },
      done: `${label}: as before`,
    }),
  });
  // While the change is in flight, the switch shows what was pressed.
  const shown = change.isPending ? change.variables.body.enabled : enabled;
  return (
    <Switch
      label={label}
      checked={shown}
      onChange={(next) => {
        if (!change.isPending) change.mutate({ params: { kind }, body: { enabled: next } });
      }}
    />
  );
}

const options = kindGroups.flatMap(({ kinds }) => kinds.map((value) => ({ value, label: kindLabels[value] })));

/** How a kind of message looks, with made-up data; which one, and in which language, is in the address. */
function Preview() {
  const [search, setSearch] = useSearchParams();
  const chosen = search.get('kind') ?? '';
  const kind = isKind(chosen) ? chosen : 'appointment-booked';
  const language = languageOf(search.get('language') ?? undefined);
  const answer = useCall('previewMessageKind', { params: { kind }, query: { language } }, { keepPrevious: true });
  const choose = (chosen: Readonly<Record<string, string>>): void =>
    setSearch({ ...Object.fromEntries(search), ...chosen }, { replace: true, preventScrollReset: true });
  return (
    <Card as="section" aria-labelledby="preview" aria-busy={answer.isPlaceholderData} className="grid gap-5">
      <div>
        <h2 id="preview" className="mb-1 text-heading font-bold">
          How it looks
        </h2>
        <p className="text-sm text-muted">With made-up people, times and orders.</p>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Kind of message"
          options={options}
          value={kind}
          onChange={(event) => choose({ kind: event.target.value })}
        />
        <SelectField
          label="Language"
          options={languageOptions}
          value={language}
          onChange={(event) => choose({ language: event.target.value })}
        />
      </div>
      {answer.data ? (
        <>
          <p className="wrap-anywhere">
            <span className="text-sm text-muted">Subject</span>{' '}
            <strong lang={languageOfMail(answer.data.html)} className="block font-semibold">
              {answer.data.subject}
            </strong>
          </p>
          <MailTexts {...answer.data} />
        </>
      ) : answer.isError ? (
        <ErrorState
          title="Error loading the preview"
          text={answer.error.message}
          onRetry={() => void answer.refetch()}
        />
      ) : (
        <Loading className="h-96" />
      )}
    </Card>
  );
}

export default definePage({ Component: KindsPage });
