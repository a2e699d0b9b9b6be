import type { AccountActions } from '@clinic/app-kit';
import type { MailedCode } from '@clinic/app-kit/host';

/** What the page of one kind of link gets. */
export interface ActionProps {
  readonly code: string;
  readonly mailed: MailedCode;
  readonly account: AccountActions;
}
