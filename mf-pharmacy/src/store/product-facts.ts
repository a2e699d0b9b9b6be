import type { PageFact } from '@clinic/contracts';
import { needsPrescription, whyNotSellable, type Medicine } from '../medicines/medicine.ts';

/** Codes (ISO 4217) of signs that belong to one currency; the store shows dollars where a clinic has none. */
const codes: Readonly<Record<string, string>> = { $: 'USD', '৳': 'BDT', '€': 'EUR', '£': 'GBP' };

/**
 * A medicine as a https://schema.org/Product.
 *
 * @param today - the clinic's date, 'yyyy-mm-dd'
 * @param sign - of the clinic's currency, if it has one
 */
export function productFacts(medicine: Medicine, today: string, sign = '$'): PageFact {
  const { medicineId, name, manufacturer, category, priceMinor } = medicine;
  const obstacle = whyNotSellable(medicine, today);
  const availability =
    obstacle === undefined ? 'InStock' : obstacle === needsPrescription ? 'InStoreOnly' : 'OutOfStock';
  const currency = codes[sign];
  return {
    '@type': 'Product',
    name,
    sku: medicineId,
    url: `${location.origin}/medicinestore?q=${encodeURIComponent(name)}`,
    ...(manufacturer && { manufacturer: { '@type': 'Organization', name: manufacturer } }),
    ...(category && { category }),
    ...(currency !== undefined && {
      offers: {
        '@type': 'Offer',
        price: (priceMinor / 100).toFixed(2),
        priceCurrency: currency,
        availability: `https://schema.org/${availability}`,
      },
    }),
  };
}
