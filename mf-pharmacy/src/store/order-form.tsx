import { phoneMessage, phonePattern } from '@clinic/contracts/limits';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, TextAreaField, TextField } from '@clinic/ui';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { draftOf, keepDraft, type DeliveryDetails } from './delivery-draft.ts';
import { useKnownDelivery } from './use-known-delivery.ts';
import { usePlaceOrder, type OrderOutcome } from './use-place-order.tsx';

/** As specified, unless the response was lost. */
const failed = 'failed to book';

export interface OrderFormProps {
  /** The signed-in customer's. */
  readonly email: string;
  /** Id of what the customer has to decide before ordering; `undefined` if nothing. */
  readonly waitsFor: string | undefined;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
  readonly onOutcome: (outcome: OrderOutcome) => void;
}

/** Delivery details, and the order button. */
export function OrderForm({ email, waitsFor, failure, onOutcome }: OrderFormProps) {
  const { register, handleSubmit, formState, control, getValues, setValue } = useForm<DeliveryDetails>({
    defaultValues: draftOf(email),
  });
  const typed = useWatch({ control });
  useEffect(() => keepDraft(email, typed), [email, typed]);
  const { name = '', phone = '', address = '' } = useKnownDelivery(email) ?? {};
  useEffect(() => {
    // What the customer has typed stays, and a field they are in is theirs.
    const typing = document.activeElement?.getAttribute('name');
    if (getValues('name') === '' && typing !== 'name') setValue('name', name);
    if (getValues('phone') === '' && typing !== 'phone') setValue('phone', phone);
    if (getValues('address') === '' && typing !== 'address') setValue('address', address);
  }, [name, phone, address, getValues, setValue]);
  const { place, busy, problem } = usePlaceOrder(email, onOutcome);
  const { errors } = formState;
  return (
    <form
      noValidate
      aria-label="Order"
      // The button stays in view below the items of the cart, not only below the form's own first line.
      className="contents"
      onSubmit={handleSubmit((details) =>
        waitsFor === undefined ? place(details) : document.getElementById(waitsFor)?.focus(),
      )}
    >
      <TextField
        label="Recipient’s name"
        autoComplete="name"
        hint="The person our courier hands it to."
        error={problem?.fieldError('recipientName')}
        {...register('name')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        required
        error={errors.phone?.message ?? problem?.fieldError('customerPhone')}
        {...register('phone', {
          validate: (phone) =>
            phone.trim() === '' ? 'Phone number is required' : phonePattern.test(phone.trim()) || phoneMessage,
        })}
      />
      <TextAreaField
        label="Address"
        rows={2}
        autoComplete="street-address"
        required
        error={errors.address?.message ?? problem?.fieldError('deliveryAddress')}
        {...register('address', { validate: (address) => address.trim() !== '' || 'Address is required' })}
      />
      {failure && (
        <Alert kind="error" title={problem && !problem.emptyAnswer ? failureTitle(problem, failed) : failed}>
          {failure}
        </Alert>
      )}
      <div className="sticky bottom-0 z-1 -mx-1 -mb-3 bg-base-100 px-1 py-3">
        <Button
          type="submit"
          block
          busy={busy}
          aria-disabled={waitsFor !== undefined || undefined}
          aria-describedby={waitsFor}
        >
          Place Order
        </Button>
      </div>
    </form>
  );
}
