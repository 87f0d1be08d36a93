-- For vim.lsp.enable('socreates') of Neovim 0.11 and newer. On 0.10: require('socreates').setup().
return require('socreates.server').config()
