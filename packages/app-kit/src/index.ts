// What remotes may use: the one federation singleton. Every export adds bytes to the first load; what only pages with lists and
// changes need is in records.ts.
export { api, openAccount } from './host/app.ts';
export type { AccountActions } from './session/account-actions.ts';
export type { Api, CallArguments, CallInput, Page, PagedCallId, Row } from './api/api-client.ts';
export { addCalls } from './api/call-table.ts';
export { ApiProblem } from './api/api-problem.ts';
export { useConfig, type AppConfig } from './host/config.ts';
export { draftOf, keepDraft, useDraft } from './drafts/drafts.ts';
export type { ChooseGoogleAccount, GoogleAccount, SignInMethod } from './session/identity-provider.ts';
export { newId } from './api/new-id.ts';
export { notify } from './host/notify.ts';
export { usePageTitle } from './host/page-title.ts';
export * from './api/query.ts';
export { definePage, defineRemoteModule, defineSlotModule, lazyScreen } from './host/remote-module.ts';
export type { PageModule, RemoteContext, RemoteModule, SlotModule, SlotName, SlotProps } from './host/remote-module.ts';
export * from './host/router.ts';
export { useCall, type UseCallOptions } from './api/use-call.ts';
export { useSession, type UseSession } from './session/use-session.ts';
export {
  addDays,
  clinicMoment,
  formatDate,
  formatOrderTotal,
  formatShortDate,
  formatStorePrice,
  formatTime,
  orderTotalMinor,
  toMinor,
} from '@clinic/contracts';
