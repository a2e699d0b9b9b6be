import type { AccountActions } from '@clinic/app-kit';
import type { MailedCode } from '@clinic/app-kit/host';

/** Props of the page for one kind of link. */
export interface ActionProps {
  readonly code: string;
  readonly mailed: MailedCode;
  readonly account: AccountActions;
}
