// Installed at the bench's first use only, see ../install-package.ts: the types have to hold without them.
declare module '@hookform/resolvers/zod'
declare module '@radix-ui/react-toast'
declare module '@radix-ui/react-tooltip'
declare module 'lucide-react'
declare module 'react-hook-form'
declare module 'react-router-dom'
declare module 'sonner'
declare module 'zod'
