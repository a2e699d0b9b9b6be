import { Button, TextAreaField, TextField } from '@clinic/ui';
import { useForm } from 'react-hook-form';
import { usePlaceOrder, type DeliveryDetails, type OrderOutcome } from './use-place-order.ts';

export interface OrderFormProps {
  /** The signed-in customer's. */
  readonly email: string;
  readonly onOutcome: (outcome: OrderOutcome) => void;
}

/** Where to deliver, and the button that orders. */
export function OrderForm({ email, onOutcome }: OrderFormProps) {
  const { register, handleSubmit, formState } = useForm<DeliveryDetails>();
  const { place, busy, problem } = usePlaceOrder(email, onOutcome);
  const { errors } = formState;
  return (
    <form noValidate aria-label="Order" className="flex flex-col gap-4" onSubmit={handleSubmit(place)}>
      <TextField
        label="Phone" type="tel" autoComplete="tel" required error={errors.phone?.message ?? problem?.fieldError('customerPhone')}
        {...register('phone', { required: 'Phone number is required' })}
      />
      <TextAreaField
        label="Address" rows={2} autoComplete="street-address" required error={errors.address?.message ?? problem?.fieldError('deliveryAddress')}
        {...register('address', { required: 'Address is required' })}
      />
      <Button type="submit" block busy={busy}>Place Order</Button>
    </form>
  );
}
