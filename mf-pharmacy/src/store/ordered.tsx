import { Link } from '@clinic/app-kit';
import { Alert } from '@clinic/ui';

/** An order that was made, as its customer asked for it. */
interface OrderedProps {
  /** E.g. '#4F09A1'. */
  readonly number: string;
  readonly address: string;
  /** What is to be paid, in words: the service rejects an order at other prices. */
  readonly cash: string;
}

/** What the customer needs after ordering: the number, what happens next, and how it is paid. */
export function Ordered({ number, address, cash }: OrderedProps) {
  return (
    <Alert kind="success" title="order created">
      <p>
        Your order is <strong className="tabular-nums">{number}</strong>. We’ll deliver to {address}.
      </p>
      <ul className="my-2 list-disc ps-5">
        <li>Our pharmacists pack it next. You can cancel it until they ship it.</li>
        <li>
          You pay <strong className="tabular-nums">{cash}</strong> in cash when we deliver. Nothing is charged online.
        </li>
      </ul>
      <Link to="/dash/myorders" className="font-medium underline underline-offset-4">
        See My Orders
      </Link>
    </Alert>
  );
}
