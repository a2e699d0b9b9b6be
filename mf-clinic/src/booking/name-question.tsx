import { api, ApiProblem } from '@clinic/app-kit';
import { isSameName, tidyName } from '@clinic/contracts/same-name';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useRef, useState } from 'react';
import type { BookingFields } from './booking-fields.ts';

/** Whom the question is about; what proceeds may know more. */
type Named = Pick<BookingFields, 'patientname' | 'patientemail'>;

interface FoundAccount {
  readonly id: string;
  readonly name: string;
}

/** @param userId - the account that has the address; `undefined`: there is none */
type Proceed = (userId: string | undefined) => void;

interface Question {
  readonly fields: Named;
  /** The account that has the address. */
  readonly account: FoundAccount;
  readonly proceed: Proceed;
}

/** @returns the account with that address; `undefined` if there is none. @throws ApiProblem if that can't be found out */
async function accountWith(email: string): Promise<FoundAccount | undefined> {
  try {
    const { _id: id, firstName, lastName } = await api.call('getUser', { params: { email } });
    return { id, name: tidyName(`${firstName} ${lastName}`) };
  } catch (error) {
    // A malformed address is rejected at its field by the booking itself.
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/**
 * Asks before staff book under the address of an account of another name: the visit, with its messages, would be that account's.
 * A parent's address for a child is fine, another patient's is a mistake.
 */
export function useNameQuestion() {
  const [question, setQuestion] = useState<Question>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const asking = useRef(false);
  const agreed = useRef<{ readonly pair: string; readonly userId: string }>(undefined);

  async function check(fields: Named, proceed: Proceed): Promise<void> {
    const { patientname, patientemail } = fields;
    if (asking.current) return;
    setFailure(undefined);
    if (agreed.current?.pair === pair(fields)) {
      proceed(agreed.current.userId);
      return;
    }
    asking.current = true;
    setBusy(true);
    try {
      const account = await accountWith(patientemail.trim());
      if (!account?.name || isSameName(account.name, patientname)) proceed(account?.id);
      else setQuestion({ fields, account, proceed });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      asking.current = false;
      setBusy(false);
    }
  }

  function agree(): void {
    if (!question) return;
    const { id: userId } = question.account;
    agreed.current = { pair: pair(question.fields), userId };
    setQuestion(undefined);
    question.proceed(userId);
  }

  return { check, busy, failure, question, agree, decline: () => setQuestion(undefined) };
}

const pair = ({ patientname, patientemail }: Named): string => `${patientemail} ${patientname}`;

type NameQuestionProps = Pick<ReturnType<typeof useNameQuestion>, 'question' | 'agree' | 'decline'>;

/** The question of {@link useNameQuestion}. */
export function NameQuestion({ question, agree, decline }: NameQuestionProps) {
  const name = question && tidyName(question.fields.patientname);
  return (
    <ConfirmDialog
      open={question !== undefined}
      title={`This is ${question?.account.name}’s account`}
      confirmLabel={`Book for ${name}`}
      cancelLabel="Change the details"
      onConfirm={agree}
      onCancel={decline}
    >
      <p className="wrap-anywhere">
        {question?.fields.patientemail} belongs to <strong>{question?.account.name}</strong>, and you’re booking for{' '}
        <strong>{name}</strong>. The appointment will be in {question?.account.name}’s account, and messages about it go
        there.
      </p>
    </ConfirmDialog>
  );
}
