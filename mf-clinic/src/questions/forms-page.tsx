import { definePage, useCall, useSearchParams } from '@clinic/app-kit';
import { useChange, useLiveLists } from '@clinic/app-kit/records';
import { searchKey } from '@clinic/contracts/search-key';
import type { QuestionForm } from '@clinic/svc-clinic/contract/question-calls';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button, Card, EmptyState, PageHeader, SelectField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { useState } from 'react';
import { LoadError } from '../load-error.tsx';
import '../setup.ts';
import './calls.ts';
import { FormEditor } from './form-editor.tsx';

/** In the address, for the form without a specialty. */
const others = 'others';

const lists = ['listQuestionForms'] as const;

const nameOf = (specialty: string): string => specialty || 'All other specialties';

/** Questions Before Visits (`/dash/questions`): what patients are asked, by specialty, for admins. */
export function QuestionFormsPage() {
  const [search, setSearch] = useSearchParams();
  const answer = useCall('listQuestionForms', {}, { staleTime: 0 });
  useLiveLists('watchAppointments', lists);
  const edited = search.get('form');
  const specialty = edited === others ? '' : edited;
  const edit = (form?: string): void => setSearch(form === undefined ? {} : { form: form || others });
  const form = answer.data?.find((one) => specialty !== null && searchKey(one.specialty) === searchKey(specialty));
  return (
    <>
      <PageHeader
        title="Questions Before Visits"
        description="Short forms that patients can answer after booking. Nobody has to; the visit’s doctor reads the answers."
      />
      {answer.isPending && <Loading className="h-96" />}
      {answer.isError && !answer.data && (
        <Card>
          <LoadError title="Error loading the questions" answer={answer} />
        </Card>
      )}
      {answer.data &&
        (specialty === null ? (
          <Forms forms={answer.data} onEdit={edit} />
        ) : (
          <FormEditor
            key={specialty}
            specialty={specialty}
            name={nameOf(specialty)}
            form={form}
            onClose={() => edit()}
          />
        ))}
    </>
  );
}

interface FormsProps {
  readonly forms: readonly QuestionForm[];
  readonly onEdit: (specialty: string) => void;
}

function Forms({ forms, onEdit }: FormsProps) {
  return (
    <div className="grid gap-6">
      {forms.length === 0 ? (
        <Card>
          <EmptyState
            icon="clipboard"
            title="No questions yet"
            text="Choose a specialty below, or all of them, and write the first question."
          />
        </Card>
      ) : (
        <ul aria-label="Forms" className="grid gap-3">
          {forms.map((form) => (
            <FormCard key={form._id} form={form} onEdit={onEdit} />
          ))}
        </ul>
      )}
      <NewForm forms={forms} onEdit={onEdit} />
    </div>
  );
}

function FormCard({ form, onEdit }: Pick<FormsProps, 'onEdit'> & { readonly form: QuestionForm }) {
  const { _id: id, specialty, version, asked, questions } = form;
  const name = nameOf(specialty);
  const change = useChange('changeQuestionForm', {
    invalidates: ['listQuestionForms'],
    success: asked ? `Stopped: ${name}` : `Asked again: ${name}`,
    undo: () => ({
      call: 'changeQuestionForm',
      input: { params: { id }, body: { version, asked } },
      done: asked ? `Asked again: ${name}` : `Stopped: ${name}`,
    }),
  });
  return (
    <Card as="li" className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-48">
        <h2 className="font-semibold wrap-anywhere">{name}</h2>
        <p className="text-sm text-muted">
          {questions.length === 1 ? '1 question' : `${questions.length} questions`}
          {asked ? '' : ' · stopped, nobody is asked'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="sm" icon="edit" aria-label={`Edit: ${name}`} onClick={() => onEdit(specialty)}>
          Edit
        </Button>
        <Button
          variant="ghost"
          size="sm"
          busy={change.isPending}
          aria-label={asked ? `Stop asking: ${name}` : `Ask again: ${name}`}
          onClick={() => change.mutate({ params: { id }, body: { version, asked: !asked } })}
        >
          {asked ? 'Stop asking' : 'Ask again'}
        </Button>
      </div>
    </Card>
  );
}

/** Begins a form for a specialty that has none. */
function NewForm({ forms, onEdit }: FormsProps) {
  const answer = useCall('listDoctors', { query: { sort: 'name' } });
  const doctors = (answer.data ?? []) as readonly Doctor[];
  const [chosen, choose] = useState('');
  // One form, however doctors write their specialty.
  const taken = new Set(forms.map(({ specialty }) => searchKey(specialty)));
  const specialties = [...new Set(doctors.map(({ specialization }) => specialization))].toSorted();
  const left = [...(taken.has('') ? [] : [others]), ...specialties.filter((one) => !taken.has(searchKey(one)))];
  if (left.length === 0) return <LoadError title="Error loading the specialties" answer={answer} />;
  return (
    <Card as="section" aria-labelledby="new-form" className="flex flex-wrap items-end gap-4">
      <h2 id="new-form" className="w-full text-heading font-bold">
        New form
      </h2>
      <SelectField
        label="Asked before visits of"
        className="min-w-0 flex-[1_1_16rem]"
        placeholder="Choose a specialty"
        options={left.map((one) => (one === others ? { value: one, label: nameOf('') } : one))}
        value={chosen}
        onChange={({ target }) => choose(target.value)}
      />
      <Button icon="plus" disabled={chosen === ''} onClick={() => onEdit(chosen === others ? '' : chosen)}>
        Write questions
      </Button>
    </Card>
  );
}

export default definePage({ Component: QuestionFormsPage });
