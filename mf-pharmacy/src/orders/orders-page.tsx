/** Orders (`/dash/orders`). */
export function OrdersPage() {
  return <h1 className="text-2xl font-bold">Orders</h1>;
}
