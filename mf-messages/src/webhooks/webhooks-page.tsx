import { definePage, Link, useConfig } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { usePagedCall } from '@clinic/app-kit/records';
import { Button, ButtonLink, PageHeader } from '@clinic/ui';
import { PagedTable } from '@clinic/ui/paged-table';
import { useMemo, useState } from 'react';
import { RemoveDialog } from './remove-dialog.tsx';
import { RotateDialog, SecretDialog } from './secret-dialog.tsx';
import { usePause } from './use-pause.ts';
import { webhookColumns, type WebhookAction } from './webhook-columns.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import '../setup.ts';
import './calls.ts';

/** What is open above the list: a question about the opened webhook, or its new secret. */
type Shown =
  | { readonly is: 'add' | Exclude<WebhookAction, 'pause'> }
  | { readonly is: 'secret'; readonly url: string; readonly secret: string };

/** Webhooks (`/dash/messages/webhooks`): the addresses of integrators that are notified, for admins. */
export function WebhooksPage() {
  const { clinicTimeZone } = useConfig();
  const webhooks = usePagedCall('listWebhooks', {});
  const [shown, setShown] = useState<Shown>();
  const [webhook, open] = useOpened(webhooks.rows, ({ _id }) => _id);
  const pause = usePause();
  const columns = useMemo(
    () =>
      webhookColumns(clinicTimeZone, (is, row) => {
        if (is === 'pause') return pause(row);
        open(row);
        setShown({ is });
      }),
    [clinicTimeZone, pause, open],
  );
  const close = (): void => setShown(undefined);
  const showSecret = ({ url, secret }: { readonly url: string; readonly secret: string }): void =>
    setShown({ is: 'secret', url, secret });
  const add = (
    <Button icon="plus" onClick={() => setShown({ is: 'add' })}>
      Add a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        count={webhooks.total}
        description="Other programs that are notified of appointments, orders and stock. They get ids and times, and nobody’s name."
        actions={
          <>
            <ButtonLink component={Link} to="/dash/messages" variant="soft" icon="mail">
              All messages
            </ButtonLink>
            {add}
          </>
        }
      />
      <PagedTable
        caption="Webhooks"
        page={webhooks}
        rows={webhooks.rows}
        failure="Error loading webhooks"
        pages="Pages of webhooks"
        columns={columns}
        rowKey={({ _id }) => _id}
        cardsBelow="lg"
        empty={{
          title: 'No webhooks yet',
          text: 'Add the address of a program to notify.',
          icon: 'activity',
          action: add,
        }}
      />
      {shown?.is === 'add' && <WebhookDialog onClose={close} onAdded={showSecret} />}
      {webhook && shown?.is === 'edit' && <WebhookDialog webhook={webhook} onClose={close} onAdded={showSecret} />}
      {webhook && shown?.is === 'rotate' && <RotateDialog webhook={webhook} onClose={close} onRotated={showSecret} />}
      {webhook && shown?.is === 'remove' && <RemoveDialog webhook={webhook} onClose={close} />}
      {shown?.is === 'secret' && <SecretDialog url={shown.url} secret={shown.secret} onClose={close} />}
    </>
  );
}

export default definePage({ Component: WebhooksPage });
