import {
  definePage,
  draftOf,
  formatDate,
  formatTime,
  Link,
  notify,
  useCall,
  useDraft,
  useNavigate,
  useParams,
  useSession,
} from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Question, VisitQuestions } from '@clinic/svc-clinic/contract/question-calls';
import { Alert, Button, ButtonLink, Card, EmptyState, PageHeader } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import { LoadError } from '../load-error.tsx';
import '../setup.ts';
import './calls.ts';
import { GivenAnswers } from './given-answers.tsx';
import { QuestionField } from './question-field.tsx';

/** Answers by the question that was read, see {@link asRead}. */
type Typed = Readonly<Record<string, readonly string[]>>;

/** Another form, or a changed question, may have the same ID: what was typed answers only what was on screen. */
const asRead = ({ id, text, kind, choices }: Question): string => JSON.stringify([id, text, kind, choices]);

/** Questions before your visit (`/dash/questions/{appointment}`): answered, and changed until the doctor sees the patient. */
export function AnswerPage() {
  const { _id: id = '' } = useParams();
  const answer = useCall('getVisitQuestions', { params: { id } }, { staleTime: 0 });
  const { data } = answer;
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader
        title="Questions Before Your Visit"
        description={
          data && `${data.doctorname}, ${formatDate(data.date)} at ${formatTime(data.time)}, for ${data.patientname}`
        }
      />
      {answer.isPending && <Loading className="h-96" />}
      <LoadError title="Error loading the questions" answer={answer} />
      {data && <Questions key={id} id={id} visit={data} reload={() => void answer.refetch()} />}
    </div>
  );
}

interface QuestionsProps {
  readonly id: string;
  readonly visit: VisitQuestions;
  readonly reload: () => void;
}

function Questions({ id, visit, reload }: QuestionsProps) {
  const { questions, open, form, answeredAt } = visit;
  if (open && form !== undefined && questions.length > 0)
    return <AnswerForm id={id} form={form} visit={visit} reload={reload} />;
  if (answeredAt !== undefined && questions.length > 0)
    return (
      <Card className="grid gap-5">
        <Alert kind="info">
          The answers can’t be changed here. If something has changed, tell the doctor at the visit.
        </Alert>
        <GivenAnswers {...visit} />
      </Card>
    );
  return (
    <Card>
      <EmptyState
        icon="clipboard"
        title={questions.length === 0 ? 'There are no questions before this visit' : 'Nothing was answered'}
        text={questions.length > 0 && 'Questions can be answered until the doctor sees you. Tell the doctor instead.'}
      />
    </Card>
  );
}

type AnswerFormProps = QuestionsProps & { readonly form: string };

/** What is typed, kept until it is sent, and its sending. */
function useAnswers({ id, form, visit }: AnswerFormProps) {
  const { questions, answers, version = 1, answeredAt: seen } = visit;
  const email = useSession().user?.email ?? '';
  const navigate = useNavigate();
  const [key] = useState(() => `questions ${email} ${id}`);
  const [typed, setTyped] = useState<Typed>(() => draftOf<Typed>(key) ?? {});
  const latest = useRef<Typed | undefined>(undefined);
  useEffect(() => {
    latest.current = Object.keys(typed).length > 0 ? typed : undefined;
  }, [typed]);
  useDraft(key, () => latest.current);
  const send = useChange('answerQuestions', {
    invalidates: ['getVisitQuestions', 'listOpenQuestions', ...appointmentLists],
    failure: false,
    onDone: () => {
      latest.current = undefined;
      setTyped({});
      notify.success('Thank you. The doctor can read your answers now.');
      void navigate('/dash/patient');
    },
  });
  const given = new Map(answers.map((one) => [one.id, one.answer]));
  const answerOf = (question: Question): readonly string[] => typed[asRead(question)] ?? given.get(question.id) ?? [];
  const change = (question: Question, answer: readonly string[]): void =>
    setTyped((now) => ({ ...now, [asRead(question)]: answer }));

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (send.isPending) return;
    const all = questions.map((question) => ({ id: question.id, answer: [...answerOf(question)] }));
    send.mutate({ params: { id }, body: { form, version, seen, answers: all } });
  }

  return { send, answerOf, change, submit };
}

function AnswerForm(props: AnswerFormProps) {
  const { visit, reload } = props;
  const { questions, answeredAt, doctorname } = visit;
  const { send, answerOf, change, submit } = useAnswers(props);
  const faultOf = (question: string): string | undefined =>
    send.error?.problem.errors?.find(({ field }) => field === `answers.${question}`)?.message;
  const first = questions.find((question) => faultOf(question.id) !== undefined);
  const firstId = first && fieldId(first.id);
  useEffect(() => {
    if (send.error && firstId) document.getElementById(firstId)?.focus();
  }, [send.error, firstId]);
  const again = (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => {
        send.reset();
        reload();
      }}
    >
      Load them again
    </Button>
  );
  return (
    <Card>
      <form noValidate aria-label="Questions before your visit" className="grid gap-6" onSubmit={submit}>
        <p>
          {doctorname} would like to know this before you come. You don’t have to answer. Only you, the doctor and the
          clinic’s admins can read your answers, and you can change them until the doctor sees you.
        </p>
        {questions.map((question) => (
          <QuestionField
            key={question.id}
            id={fieldId(question.id)}
            question={question}
            answer={answerOf(question)}
            error={faultOf(question.id)}
            onAnswer={(answer) => change(question, answer)}
          />
        ))}
        {send.error && !first && (
          <Alert kind="error" actions={send.error.code === 'changed_meanwhile' && again}>
            {send.error.message}
          </Alert>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" icon="check" busy={send.isPending}>
            {answeredAt === undefined ? 'Send my answers' : 'Save my answers'}
          </Button>
          <ButtonLink component={Link} to="/dash/patient" variant="ghost">
            {answeredAt === undefined ? 'Answer later' : 'Back'}
          </ButtonLink>
        </div>
      </form>
    </Card>
  );
}

const fieldId = (question: string): string => `question-${question}`;

export default definePage({ Component: AnswerPage });
