import { defineRemoteModule, lazyScreen } from '@clinic/app-kit';
import './fonts/taka-sign.css';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/medicinestore', ...lazyScreen(async () => (await import('./store/store-page.tsx')).StorePage) },
    { path: '/dash/orders', ...lazyScreen(async () => (await import('./orders/orders-page.tsx')).OrdersPage) },
    {
      path: '/dash/addmedicine',
      ...lazyScreen(async () => (await import('./inventory/add-medicine-page.tsx')).AddMedicinePage),
    },
    {
      path: '/dash/medicine',
      ...lazyScreen(async () => (await import('./inventory/inventory-page.tsx')).InventoryPage),
    },
    { path: '/dash/myorders', ...lazyScreen(async () => (await import('./orders/my-orders-page.tsx')).MyOrdersPage) },
  ],
});
