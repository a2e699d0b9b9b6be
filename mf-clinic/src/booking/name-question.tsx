import { api, ApiProblem } from '@clinic/app-kit';
import { isSameName, tidyName } from '@clinic/contracts/same-name';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useRef, useState } from 'react';
import type { BookingFields } from './booking-fields.ts';

/** Whom the question is about; what proceeds may know more. */
type Named = Pick<BookingFields, 'patientname' | 'patientemail'>;

interface Question {
  readonly fields: Named;
  /** The name of the account that has the address. */
  readonly account: string;
  readonly proceed: () => void;
}

/** @returns the name of the account with that address; `undefined` if there is none. @throws ApiProblem if that can't be found out */
async function accountWith(email: string): Promise<string | undefined> {
  try {
    const { firstName, lastName } = await api.call('getUser', { params: { email } });
    return tidyName(`${firstName} ${lastName}`) || undefined;
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
  const agreed = useRef('');

  async function check(fields: Named, proceed: Question['proceed']): Promise<void> {
    const { patientname, patientemail } = fields;
    if (asking.current) return;
    setFailure(undefined);
    if (agreed.current === pair(fields)) {
      proceed();
      return;
    }
    asking.current = true;
    setBusy(true);
    try {
      const account = await accountWith(patientemail.trim());
      if (account === undefined || isSameName(account, patientname)) proceed();
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
    agreed.current = pair(question.fields);
    setQuestion(undefined);
    question.proceed();
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
      title={`This is ${question?.account}’s account`}
      confirmLabel={`Book for ${name}`}
      cancelLabel="Change the details"
      onConfirm={agree}
      onCancel={decline}
    >
      <p className="wrap-anywhere">
        {question?.fields.patientemail} belongs to <strong>{question?.account}</strong>, and you’re booking for{' '}
        <strong>{name}</strong>. The appointment will be in {question?.account}’s account, and messages about it go
        there.
      </p>
    </ConfirmDialog>
  );
}
