/** Our Medical Services (`/services`). */
export function ServicesPage() {
  return <h1 className="text-2xl font-bold">Our Medical Services</h1>;
}
