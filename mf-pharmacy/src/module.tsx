import { defineRemoteModule } from '@clinic/app-kit';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/medicinestore', lazy: async () => ({ Component: (await import('./store/store-page.tsx')).StorePage }) },
    { path: '/dash/orders', lazy: async () => ({ Component: (await import('./orders/orders-page.tsx')).OrdersPage }) },
    { path: '/dash/addmedicine', lazy: async () => ({ Component: (await import('./inventory/add-medicine-page.tsx')).AddMedicinePage }) },
    { path: '/dash/medicine', lazy: async () => ({ Component: (await import('./inventory/inventory-page.tsx')).InventoryPage }) },
    { path: '/dash/myorders', lazy: async () => ({ Component: (await import('./orders/my-orders-page.tsx')).MyOrdersPage }) },
  ],
});
