import { useCall, type SlotProps } from '@clinic/app-kit';
import { FiguresSection } from '@clinic/ui/charts';
import { OrderCharts } from './order-charts.tsx';
import { StockCharts } from './stock-charts.tsx';

/** The pharmacy's part of the overview: what was ordered and what it brought in, and the stock at risk. */
export function PharmacyFigures({ from, to }: SlotProps['overview']) {
  const orders = useCall('reportOrders', { query: { from, to } }, { keepPrevious: true });
  const stock = useCall('reportStock', {});
  const retryOrders = (): void => void orders.refetch();
  const retryStock = (): void => void stock.refetch();
  if (orders.error && stock.error) {
    // The service itself is away: one panel says that, not two.
    return (
      <FiguresSection
        title="Orders and stock" error={orders.error.message} retrying={orders.isFetching || stock.isFetching}
        onRetry={() => {
          retryOrders();
          retryStock();
        }}
      />
    );
  }
  return (
    <>
      <FiguresSection title="Orders" error={orders.error?.message} retrying={orders.isFetching} refreshing={orders.isPlaceholderData} onRetry={retryOrders}>
        {orders.data && <OrderCharts report={orders.data} />}
      </FiguresSection>
      <FiguresSection title="Stock at risk" error={stock.error?.message} retrying={stock.isFetching} onRetry={retryStock}>
        {stock.data && <StockCharts report={stock.data} />}
      </FiguresSection>
    </>
  );
}
