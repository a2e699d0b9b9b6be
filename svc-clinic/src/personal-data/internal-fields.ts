import { internal } from '@clinic/service-kit';

export const forSearch = internal('derived from other fields, for searching and sorting');
export const account = internal('the account’s id; the account is in the copy of svc-identity');
