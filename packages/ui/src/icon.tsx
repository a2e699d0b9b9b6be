import {
  Activity, ArrowRight, Award, Bell, Building2, Calendar, Check, ChevronDown, ChevronLeft, ChevronRight, CircleAlert, CircleCheck, CircleX,
  Clipboard, Clock, Ellipsis, Eye, EyeOff, GraduationCap, Heart, Info, LogIn, LogOut, Mail, MapPin, Menu, Minus, Package, Pencil, Phone, Pill,
  Plus, RefreshCw, Search, ShieldCheck, ShoppingCart, Star, Stethoscope, Trash2, TriangleAlert, Truck, User, Users, X, type LucideIcon,
} from 'lucide-react';

const icons = {
  activity: Activity,
  'alert-circle': CircleAlert,
  'alert-triangle': TriangleAlert,
  'arrow-right': ArrowRight,
  award: Award,
  bell: Bell,
  building: Building2,
  calendar: Calendar,
  cart: ShoppingCart,
  check: Check,
  'check-circle': CircleCheck,
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  clipboard: Clipboard,
  clock: Clock,
  edit: Pencil,
  eye: Eye,
  'eye-off': EyeOff,
  graduation: GraduationCap,
  heart: Heart,
  info: Info,
  login: LogIn,
  logout: LogOut,
  mail: Mail,
  menu: Menu,
  minus: Minus,
  more: Ellipsis,
  package: Package,
  phone: Phone,
  pill: Pill,
  pin: MapPin,
  plus: Plus,
  refresh: RefreshCw,
  search: Search,
  shield: ShieldCheck,
  star: Star,
  stethoscope: Stethoscope,
  trash: Trash2,
  truck: Truck,
  user: User,
  users: Users,
  x: X,
  'x-circle': CircleX,
} as const satisfies Record<string, LucideIcon>;

export type IconName = keyof typeof icons;

export const iconNames = Object.keys(icons) as IconName[];

export interface IconProps {
  /** One of `iconNames`; a name that the set doesn't know draws nothing, so that a menu entry of a newer remote can't break the shell. */
  readonly name: IconName | (string & {});
  /** Edge length in CSS pixels. */
  readonly size?: number;
  /** What the icon says to those who don't see it; without one it is decoration. */
  readonly label?: string;
  readonly className?: string;
}

export function Icon({ name, size = 20, label, className }: IconProps) {
  const Drawing: LucideIcon | undefined = Object.hasOwn(icons, name) ? icons[name as IconName] : undefined;
  if (!Drawing) return null;
  const meaning = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true as const };
  return <Drawing size={size} strokeWidth={1.75} className={className} {...meaning} />;
}
