import type { CallId, CallResponse } from '@clinic/contracts';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { failureTitle, isUnknown } from '@clinic/contracts/outcome';
import { useRef } from 'react';
import { attemptFrom, draftOf, keepDraft } from '../drafts/drafts.ts';
import { api } from '../host/app.ts';
import { attemptOf, type Attempt } from './attempt.ts';
import type { CallArguments, CallInput } from './api-client.ts';
import type { ApiProblem } from './api-problem.ts';
import { earlierRouteOf, routeOf } from './call-table.ts';
import { notify } from '../host/notify.ts';

/** The call that takes a change back. */
export type Undo = {
  [Id in CallId]: {
    readonly call: Id;
    readonly input: CallInput<Id>;
    /** Message for the visitor when it is done. */
    readonly done: string;
  };
}[CallId];

export interface UseChangeOptions<Id extends CallId> {
  /**
   * Reading calls whose responses this change outdates; they are loaded again before the change counts as done, and also
   * if nobody knows whether it was made.
   */
  readonly invalidates?: readonly CallId[];
  /** Message for the visitor on success. */
  readonly success?: string | ((answer: CallResponse<Id>) => string);
  /** Offers Undo beside the success message: a call of its own, under the same rules. `undefined`: it can't be undone. */
  readonly undo?: (
    answer: CallResponse<Id>,
    input: CallInput<Id>,
    /** The changed record's, for an undo that must not overwrite a later change (`ifMatch`). */
    etag: string | undefined,
  ) => Undo | undefined;
  /** Message on failure instead of the problem's own; `false`: none, because the caller shows it (field errors, for example). */
  readonly failure?: string | ((problem: ApiProblem) => string) | false;
  readonly onDone?: (
    answer: CallResponse<Id>,
    input: CallInput<Id>,
    /** The changed record's, for the next change of it. */
    etag: string | undefined,
  ) => void;
  readonly onError?: (problem: ApiProblem, input: CallInput<Id>) => void;
  /**
   * Key of the form's draft (`useDraft`), for a call marked `idempotent`: a form that is sent again after a reload still
   * carries the key of its first attempt. A change that is made forgets the draft.
   */
  readonly draft?: string | undefined;
}

/**
 * Makes a changing call: notifies the visitor of the outcome and reloads what it affected. Calls marked `idempotent` carry a
 * key that stays the same while the same body is retried, so that a lost response never makes two of it.
 *
 * @returns react-query's mutation; `mutateAsync` rejects with an {@link ApiProblem}
 */
export function useChange<Id extends CallId>(
  id: Id,
  options: UseChangeOptions<Id> = {},
): UseMutationResult<CallResponse<Id>, ApiProblem, CallInput<Id>> {
  const client = useQueryClient();
  const { withKey, forget } = useKey(id, options.draft);
  const etag = useRef<string>(undefined);
  // A failure message is obsolete once the change is retried.
  const withdrawFailure = useRef<() => void>(undefined);
  const reload = () =>
    Promise.all((options.invalidates ?? []).map((list) => client.invalidateQueries({ queryKey: [list] })));

  /** The page may have been left meanwhile, so this uses nothing of the component. */
  async function runUndo({ call, input, done }: Undo): Promise<void> {
    try {
      await api.call(call, ...([input] as unknown as CallArguments<CallId>));
      notify.success(done);
    } catch (error) {
      const problem = error as ApiProblem;
      notify.error(failureTitle(problem, 'We couldn’t undo it'), problem.message);
    }
    await reload();
  }

  return useMutation<CallResponse<Id>, ApiProblem, CallInput<Id>>({
    async mutationFn(input) {
      const answer = await api.tagged(id, ...([await withKey(input)] as unknown as CallArguments<Id>));
      etag.current = answer.etag;
      return answer.record;
    },
    onMutate: () => withdrawFailure.current?.(),
    async onSuccess(answer, input) {
      forget();
      const { success } = options;
      const undo = options.undo?.(answer, input, etag.current);
      if (success !== undefined)
        notify.success(
          typeof success === 'string' ? success : success(answer),
          undefined,
          undo && { label: 'Undo', run: () => runUndo(undo) },
        );
      await reload();
      options.onDone?.(answer, input, etag.current);
    },
    onError(problem, input) {
      const { failure } = options;
      if (failure !== false)
        withdrawFailure.current = notify.error(
          failure === undefined ? problem.message : typeof failure === 'string' ? failure : failure(problem),
        );
      options.onError?.(problem, input);
      if (isUnknown(problem)) void reload();
    },
  });
}

/** The key of a call marked `idempotent`, which `forget` ends with the draft: the change is made. */
function useKey<Id extends CallId>(id: Id, draft: string | undefined) {
  const attempt = useRef<Attempt>(undefined);
  return {
    withKey: async (input: CallInput<Id>): Promise<CallInput<Id>> => {
      const { idempotent } = routeOf(id) ?? (await earlierRouteOf(id));
      if (!idempotent || input.idempotencyKey) return input;
      if (draft) attempt.current ??= draftOf<Attempt>(attemptFrom(draft));
      attempt.current = attemptOf(JSON.stringify(input), attempt.current);
      if (draft) keepDraft(attemptFrom(draft), attempt.current);
      return { ...input, idempotencyKey: attempt.current.key };
    },
    forget: (): void => {
      attempt.current = undefined;
      if (draft) keepDraft(draft);
    },
  };
}
