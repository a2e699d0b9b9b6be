import { useCall, type SlotProps } from '@clinic/app-kit';
import { FiguresSection } from '@clinic/ui/charts';
import { OrderCharts } from './order-charts.tsx';
import { StockCharts } from './stock-charts.tsx';

/** The pharmacy's part of the overview: orders and revenue, and the stock at risk. */
export function PharmacyFigures({ from, to }: SlotProps['overview']) {
  const orders = useCall('reportOrders', { query: { from, to } }, { keepPrevious: true });
  const stock = useCall('reportStock', {});
  const retryOrders = (): void => void orders.refetch();
  const retryStock = (): void => void stock.refetch();
  // The service itself is unavailable: one panel for that, not two.
  const both = orders.error !== null && stock.error !== null;
  const retryBoth = (): void => {
    retryOrders();
    retryStock();
  };
  return (
    <>
      <FiguresSection
        title={both ? 'Orders and stock' : 'Orders'}
        error={orders.error?.message}
        refreshing={orders.isPlaceholderData}
        onRetry={both ? retryBoth : retryOrders}
      >
        {orders.data && <OrderCharts report={orders.data} />}
      </FiguresSection>
      {!both && (
        <FiguresSection title="Stock at risk" error={stock.error?.message} onRetry={retryStock}>
          {stock.data && <StockCharts report={stock.data} />}
        </FiguresSection>
      )}
    </>
  );
}
