import { Link } from '@clinic/app-kit';
import { Button, ButtonLink, StatusBadge, type IconName } from '@clinic/ui';
import { actionsColumn } from '@clinic/ui/list-parts';
import { RowMenu, type Column } from '@clinic/ui/tables';
import type { Webhook } from '../calls.ts';
import { instantInWords, labelOf } from '../words.ts';

/** What can be done with a webhook in the list. */
export type WebhookAction = 'edit' | 'rotate' | 'pause' | 'remove';

/**
 * @param timeZone - the clinic's, IANA name
 * @param onAction - somebody chose an action
 */
export function webhookColumns(
  timeZone: string,
  onAction: (action: WebhookAction, webhook: Webhook) => void,
): Column<Webhook>[] {
  return [
    {
      key: 'url',
      header: 'Address',
      primary: true,
      cell: ({ url }) => <span className="block max-w-md wrap-anywhere">{url}</span>,
    },
    {
      key: 'kinds',
      header: 'Events',
      cell: ({ kinds }) => (
        <span className="block max-w-60 min-w-0 wrap-anywhere">
          {kinds.length === 0 ? 'All events' : kinds.map(labelOf).join(', ')}
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ enabled }) =>
        enabled ? <StatusBadge status="Active" tone="green" /> : <StatusBadge status="Paused" tone="grey" />,
    },
    {
      key: 'at',
      header: 'Added',
      foldInto: 'url',
      foldLabel: 'Added',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{instantInWords(createdAt, timeZone)}</time>,
    },
    actionsColumn((webhook) => <Actions webhook={webhook} onAction={onAction} />),
  ];
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly onAction: (action: WebhookAction, webhook: Webhook) => void;
}

function Actions({ webhook, onAction }: ActionsProps) {
  const { _id, url, enabled } = webhook;
  const button = (action: WebhookAction, text: string, icon: IconName) => (
    <Button
      size="sm"
      variant="ghost"
      icon={icon}
      aria-label={`${text}: ${url}`}
      onClick={() => onAction(action, webhook)}
    >
      {text}
    </Button>
  );
  return (
    <RowMenu
      label={`More actions: ${url}`}
      beside={
        <ButtonLink
          component={Link}
          to={`/dash/messages/webhooks/${_id}`}
          size="sm"
          variant="ghost"
          icon="clock"
          aria-label={`Deliveries: ${url}`}
        >
          Deliveries
        </ButtonLink>
      }
    >
      {button('edit', 'Change', 'edit')}
      {button('pause', enabled ? 'Pause' : 'Resume', enabled ? 'clock' : 'check')}
      {button('rotate', 'New secret', 'refresh')}
      {button('remove', 'Remove', 'trash')}
    </RowMenu>
  );
}
