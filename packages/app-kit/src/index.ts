// What remotes may use: the one federation singleton. Every export adds bytes to the first load; what only pages with lists and
// changes need is in records.ts.
export { api, openAccount } from './app.ts';
export type { AccountActions } from './account-actions.ts';
export type { Api, CallArguments, CallInput, Page, PagedCallId, Row } from './api-client.ts';
export { addCalls } from './call-table.ts';
export { ApiProblem } from './api-problem.ts';
export { useConfig, type AppConfig } from './config.ts';
export { draftOf, keepDraft, useDraft } from './drafts.ts';
export type { ChooseGoogleAccount, GoogleAccount, SignInMethod } from './identity-provider.ts';
export { newId } from './new-id.ts';
export { notify } from './notify.ts';
export { usePageTitle } from './page-title.ts';
export * from './query.ts';
export { definePage, defineRemoteModule, defineSlotModule, lazyScreen } from './remote-module.ts';
export type { PageModule, RemoteContext, RemoteModule, SlotModule, SlotName, SlotProps } from './remote-module.ts';
export * from './router.ts';
export { useCall, type UseCallOptions } from './use-call.ts';
export { useSession, type UseSession } from './use-session.ts';
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
