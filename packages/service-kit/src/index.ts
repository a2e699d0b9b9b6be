export { BackgroundLoop } from './background-loop.ts';
export {
  accountFeedPath,
  mostChanges,
  type AccountChange,
  type AccountChanges,
  type Holding,
} from './auth/account-feed.ts';
export { assertOwner } from './auth/access-control.ts';
export { file, isUnchanged, page, streamed, type BatchMap, type ListAnswer, type PageTotal } from './http/answers.ts';
export type { ServiceContext } from './context.ts';
export { changeStream, type ChangeStreamPlan, type RecordedChange } from './live/change-stream.ts';
export { cookieOf } from './http/cookies.ts';
export {
  accountOfOldRecord,
  accountsOfEmails,
  confirmedAccounts,
  emailsOfAccounts,
  lockAddress,
  type KnownPerson,
} from './auth/contacts.ts';
export {
  addressesOfAccount,
  erasedAddresses,
  freeSince,
  type AddressOwner,
  type JoinRecords,
} from './auth/join-records.ts';
export { knownAccounts, type KnownAccount } from './auth/known-accounts.ts';
export {
  catchUpWithAccounts,
  joinWritten,
  ownerOfRecord,
  type OnAccount,
  type RecordOwner,
} from './auth/follow-accounts.ts';
export { createApp } from './http/create-app.ts';
export type { IndexPlan } from './database/database.ts';
export { defineService, type ContextFor, type Rejection, type ServiceDefinition } from './definition.ts';
export { isDuplicateKey, unavailable } from './http/error-mapping.ts';
export { EventStream } from './live/event-stream.ts';
export { eraseStep, forgetKitRecords, type Erased, type ErasePerson } from './privacy/erase-person.ts';
export { countErased, type ErasedCounts } from './privacy/erased-counts.ts';
export { erasureHandler } from './privacy/erasure-handler.ts';
export { localDeletionOf, startLocalDeletion } from './privacy/local-deletions.ts';
export { forgetInHistory } from './privacy/forget-in-history.ts';
export { deletionsPath, erasureReport, type ErasureReport, type OpenDeletion } from './privacy/deletions.ts';
export {
  assertSeenAccount,
  dateWithin,
  isProven,
  madeWithin,
  personPath,
  provenAddresses,
  provenEmail,
  readPerson,
  type AccountHolder,
  type HeldAddress,
  type Person,
} from './privacy/person.ts';
export { historyCarriesAccounts, type EarlierEvent } from './history/history-carries-accounts.ts';
export {
  absentFields,
  erasingUpdate,
  internal,
  withoutPersonalFields,
  withoutPersonInHistory,
  type CopyRules,
  type DeletionRules,
  type HistoryFields,
  type PersonalRecord,
  type PersonalRecords,
} from './privacy/personal-fields.ts';
export { exported, exportedEvents, exportedPerson, type ExportedThing } from './privacy/export-person.ts';
export { concernedBy, eventFilter, listEvents, type EventQuery, type HistoryShape } from './history/event-list.ts';
export { actorOf, partOf, type RecordedActor } from './history/actors.ts';
export {
  appendEvent,
  appendEvents,
  readHistory,
  type HistoryChange,
  type HistoryEvent,
  type HistoryQuestion,
} from './history/events.ts';
export { once } from './http/idempotency.ts';
export { KeyedSemaphores } from './http/keyed-semaphores.ts';
export { accountsPath, readStanding, type AccountStanding } from './auth/account-standing.ts';
export { internalHeaders, internalSecret } from './auth/internal-calls.ts';
export { boxKey, SecretBox, type BoxKey } from './auth/secret-box.ts';
export { demoMark } from './database/database-credentials.ts';
export type { Logger } from './observability/log.ts';
export { exportedLooks, forgetLooks } from './history/keep-looks.ts';
export { listLooks } from './history/list-looks.ts';
export { about, ownedBy, type About, type LookedAt } from './history/looked-at.ts';
export type { LookRecord } from './history/look-record.ts';
export { looksWritten } from './history/note-looks.ts';
export { newId } from './new-id.ts';
export { internationalPhone, phoneWords, searchedPhone, type Country } from './phone-numbers.ts';
export { escapeRegex, noRows, readPage, sharedList, type PagePlan, type PageQuery } from './http/paging.ts';
export { searchFilter, SearchedRows, type Search, type SortSpec } from './http/searched-rows.ts';
export { endUserLock, erasedAccounts, takeUserLock, takeUserLockFor } from './database/user-lock.ts';
export { countExport, countToday, dailyLimit, type DailyAct } from './database/daily-limits.ts';
export { appendOutbox, outboxOf, type OutboxRecord } from './outbox/outbox.ts';
export { mostEntries as mostOutboxEntries, outboxPath, waitsFor as outboxWaitsFor } from './outbox/outbox-routes.ts';
export { passThrough } from './http/pass-through.ts';
export { countIndexes, SharedCount } from './database/shared-count.ts';
export { signedBody } from './http/signed-body.ts';
export { ProblemError, refused, rejected, type ProblemExtras } from './http/problem-error.ts';
export {
  dayExpression,
  daysOf,
  instantsOf,
  partsOf,
  reportPeriod,
  type ReportPeriod,
} from './reports/report-period.ts';
export type { Answer, CallIdsOf, Handler, Handlers, IdToken, ServiceRequest } from './http/requests.ts';
export { batchesById } from './database/batches.ts';
export { rewriteRecords } from './database/rewrite-records.ts';
export { giveHistory } from './history/give-history.ts';
export { eraseEach } from './privacy/erase-each.ts';
export { derivedFields, fillDerivedFields, keepDerivedFields, type DerivedFields } from './database/derived-fields.ts';
export { beginningWords, findsPerson } from './database/search-words.ts';
export { beginsPart, containsKey, countsKey, isLongerThanParts, searchParts } from './database/search-parts.ts';
export { keptDays, type RetentionRule } from './privacy/retention.ts';
export { isWithin, networks } from './settings/networks.ts';
export { runService } from './run-service.ts';
export { applySchemaChanges, type SchemaChange } from './database/schema-changes.ts';
export { seedDemoOnce } from './database/seeding.ts';
export {
  cookieNames,
  longestTokenLife,
  sessionToken,
  type SessionCaller,
  type SessionClaims,
} from './auth/session-claims.ts';
export { audiencesHeader, readAudiences, tokenHeader, writeBundle } from './auth/session-bundle.ts';
export type { SessionSource } from './auth/session-verifier.ts';
export {
  choice,
  cookiesAreSecure,
  currency,
  flag,
  httpUrl,
  httpUrls,
  integer,
  namedUrls,
  optionalFlag,
  optionalText,
  origins,
  parsedBy,
  quietHours,
  SettingsError,
  text,
  timeZone,
  type BaseSettings,
  type Setting,
  type SettingsOf,
  type SettingsSpec,
} from './settings/settings.ts';
export { staffPath, type IsLatestList, type OnStaff, type StaffAccount } from './auth/staff-list.ts';
export { startService, type RunningService, type StartOptions } from './start-service.ts';
export {
  addToRollups,
  daysOfMonth,
  keepRollups,
  keepRollupsInBackground,
  replaceRollups,
  type Rollup,
  type RollupChange,
  type RollupPlan,
} from './reports/rollups.ts';
export { rollupShard } from './reports/rollup-shard.ts';
export { followChanges, type FollowedChanges } from './live/follow-changes.ts';
export { feedMessage, feedPath, heartbeatEvery, type FeedUpdate } from './auth/session-feed.ts';
export { VersionTracker } from './auth/version-tracker.ts';
