# A network that exists only in its state, so that nothing has to be downloaded and nothing costs money.
terraform {
  backend "local" {} # where it lies is told by apply.sh
}

variable "subnets" {
  type    = number
  default = 3

  validation {
    condition     = var.subnets >= 1 && var.subnets <= 16
    error_message = "A network has 1 to 16 subnets."
  }
}

resource "terraform_data" "subnet" {
  count = var.subnets
  input = "10.0.${count.index}.0/24"
}

output "subnets" {
  value = terraform_data.subnet[*].output
}
