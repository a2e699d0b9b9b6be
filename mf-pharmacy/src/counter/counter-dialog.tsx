import { draftOf, useDraft, useSession } from '@clinic/app-kit';
import { useChange, useCloseQuestion } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { CallBody } from '@clinic/contracts';
import { phoneMessage, phonePattern } from '@clinic/contracts/limits';
import { toMajor, toMinor } from '@clinic/contracts/money';
import { failureTitle, isUnknown } from '@clinic/contracts/outcome';
import { maxLineQuantity } from '@clinic/svc-pharmacy/contract/limits';
import { Alert, DateField, TextAreaField, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useId, useState } from 'react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { FormDialog } from '../form-dialog.tsx';
import { cashInWords, orderNumber } from '../orders/order-format.ts';
import { CounterLines, type CounterLine } from './counter-lines.tsx';

interface CounterFields {
  readonly recipientName: string;
  readonly customeremail: string;
  readonly customerPhone: string;
  readonly deliveryAddress: string;
  readonly date: string;
  readonly prescriber: string;
}

const required = (label: string) => (text: string) => text.trim() !== '' || `${label} is required`;

/** What was typed before a reload. */
interface CounterDraft {
  readonly fields: CounterFields;
  readonly lines: readonly CounterLine[];
  readonly agreed?: string;
}

type Patient = Pick<CounterFields, 'customeremail' | 'recipientName'>;

/** Whose an order is said to be; an account in another name is asked about once for each. */
const pairOf = ({ customeremail, recipientName }: Patient): string => `${customeremail} ${recipientName}`;

/** Fields and lines, with what was typed before a reload. */
function useCounterForm() {
  const { user } = useSession();
  const [key] = useState(() => `counter order ${user?.email ?? ''}`);
  const [typed] = useState(() => draftOf<CounterDraft>(key));
  const [lines, setLines] = useState<readonly CounterLine[]>(typed?.lines ?? []);
  // Kept, too: what is sent again after a lost answer must be the same.
  const [agreed, setAgreed] = useState(typed?.agreed);
  const form = useForm<CounterFields>({ ...(typed && { defaultValues: typed.fields }) });
  const { getValues } = form;
  useDraft(key, (): CounterDraft => ({ fields: getValues(), lines, ...(agreed && { agreed }) }), 'drop');
  return { ...form, lines, setLines, agreed, setAgreed, typed, draft: key };
}

/** Sends the order, and asks about the name of its account before it is somebody else's. */
function useEntering({ setLines, agreed, setAgreed, draft }: ReturnType<typeof useCounterForm>, onDone: () => void) {
  const [asked, setAsked] = useState<CallBody<'enterCounterOrder'>>();
  const change = useChange('enterCounterOrder', {
    invalidates: ['listOrders', 'listMedicines'],
    success: (order) => `Order ${orderNumber(order)} is entered.`,
    // The form shows it.
    failure: false,
    draft,
    onDone,
    onError: (error, { body }) => {
      if (error.fieldError('otherName')) setAsked(body);
      const now = new Map(error.problem.prices?.map((price) => [price.medicineId, toMinor(price.now)]));
      setLines((before) =>
        before.map(({ medicine, quantity }) => ({
          medicine: { ...medicine, priceMinor: now.get(medicine.medicineId) ?? medicine.priceMinor },
          quantity,
        })),
      );
    },
  });
  return {
    change,
    send: (body: CallBody<'enterCounterOrder'>): void =>
      change.mutate({ body: { ...body, otherName: agreed === pairOf(body) } }),
    asked,
    agree: (): void => {
      if (!asked) return;
      setAgreed(pairOf(asked));
      setAsked(undefined);
      change.mutate({ body: { ...asked, otherName: true } });
    },
    decline: (): void => setAsked(undefined),
  };
}

/** Enters an order for a patient who is at the counter with a prescription. */
export function CounterDialog({ onClose }: { readonly onClose: () => void }) {
  const formId = useId();
  const today = useClinicToday();
  const [isLacking, setLacking] = useState(false);
  const form = useCounterForm();
  const { lines, setLines, typed, register, handleSubmit, formState } = form;
  const { errors, isDirty } = formState;
  const { close, question } = useCloseQuestion(isDirty || typed !== undefined || lines.length > 0, onClose);
  const { change, send, asked, agree, decline } = useEntering(form, onClose);
  const total = lines.reduce((sum, { medicine, quantity }) => sum + medicine.priceMinor * quantity, 0);

  function enter({ date, prescriber, ...patient }: CounterFields): void {
    setLacking(lines.length === 0);
    if (change.isPending || lines.length === 0) return;
    const items = lines.map(({ medicine, quantity }) => ({
      medicineId: medicine.medicineId,
      quantity,
      pricePerUnit: toMajor(medicine.priceMinor),
    }));
    send({ ...patient, items, prescription: { date, prescriber } });
  }

  const problem = (field: string) => change.error?.fieldError(field);
  return (
    <FormDialog
      wide
      title="Counter order"
      formId={formId}
      submitLabel="Enter order"
      busy={change.isPending}
      onClose={close}
    >
      <form
        id={formId}
        noValidate
        aria-label="Counter order"
        className="grid gap-5 text-base-content sm:grid-cols-2"
        onSubmit={(event) => {
          setLacking(lines.length === 0);
          void handleSubmit(enter)(event);
        }}
      >
        {change.error && (
          <div className="sm:col-span-2">
            <Alert kind="error" title={failureTitle(change.error, 'The order wasn’t entered')}>
              {change.error.message}
            </Alert>
          </div>
        )}
        <CounterFieldset register={register} errors={errors} problem={problem} today={today} />
        <div className="grid gap-4 sm:col-span-2">
          <CounterLines lines={lines} onChange={setLines} most={maxLineQuantity} today={today} />
          {isLacking && lines.length === 0 && <p className="ui-error">Add at least one medicine</p>}
          {lines.length > 0 && (
            <p className="flex justify-between border-t border-line pt-4 font-semibold">
              <span>Collect in cash</span> <output className="tabular-nums">{cashInWords(total)}</output>
            </p>
          )}
        </div>
      </form>
      <NameQuestion patient={asked} onConfirm={agree} onCancel={decline} />
      <ConfirmDialog {...question}>
        {change.error && isUnknown(change.error)
          ? 'We couldn’t confirm the order. Look for it in the list.'
          : 'The order isn’t entered yet.'}
      </ConfirmDialog>
    </FormDialog>
  );
}

interface NameQuestionProps {
  /** Whom it is about; `undefined`: nothing to ask. */
  readonly patient: Patient | undefined;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Unlike the desk, the counter may not see whose account it is. */
function NameQuestion({ patient, ...answers }: NameQuestionProps) {
  return (
    <ConfirmDialog
      open={patient !== undefined}
      title="This is an account in another name"
      confirmLabel={`Enter for ${patient?.recipientName}`}
      cancelLabel="Change the details"
      {...answers}
    >
      <p className="wrap-anywhere">
        The account of {patient?.customeremail} isn’t in the name of <strong>{patient?.recipientName}</strong>. Ask the
        patient whether it’s a relative’s: the order, with its address and prescription, will be in that account, and
        messages about it go there.
      </p>
    </ConfirmDialog>
  );
}

interface CounterFieldsetProps {
  readonly register: UseFormRegister<CounterFields>;
  readonly errors: FieldErrors<CounterFields>;
  /** The server's message for a field. */
  readonly problem: (field: string) => string | undefined;
  /** The clinic's date, 'yyyy-mm-dd'. */
  readonly today: string;
}

/** The prescription, and who it is for. */
function CounterFieldset({ register, errors, problem, today }: CounterFieldsetProps) {
  return (
    <>
      <DateField
        label="Date of the prescription"
        required
        max={today}
        error={errors.date?.message ?? problem('prescription.date')}
        {...register('date', {
          validate: (date) => {
            if (!date) return 'Date of the prescription is required';
            return date <= today || 'A prescription can’t be of a later day than today';
          },
        })}
      />
      <TextField
        label="Prescriber"
        required
        autoComplete="off"
        hint="The doctor who signed it."
        error={errors.prescriber?.message ?? problem('prescription.prescriber')}
        {...register('prescriber', { validate: required('Prescriber') })}
      />
      <TextField
        label="Patient’s name"
        required
        autoComplete="off"
        error={errors.recipientName?.message ?? problem('recipientName')}
        {...register('recipientName', { validate: required('Patient’s name') })}
      />
      <TextField
        label="Patient’s email"
        type="email"
        required
        autoComplete="off"
        hint="The order appears in the account with this address."
        error={errors.customeremail?.message ?? problem('customeremail') ?? problem('otherName')}
        {...register('customeremail', { validate: required('Email') })}
      />
      <TextField
        label="Patient’s phone"
        type="tel"
        required
        autoComplete="off"
        error={errors.customerPhone?.message ?? problem('customerPhone')}
        {...register('customerPhone', {
          validate: (phone) =>
            phone.trim() === '' ? 'Phone number is required' : phonePattern.test(phone.trim()) || phoneMessage,
        })}
      />
      <TextAreaField
        label="Delivery address"
        rows={2}
        autoComplete="off"
        hint="Leave this empty if the patient collects it here."
        error={problem('deliveryAddress')}
        {...register('deliveryAddress')}
      />
    </>
  );
}
